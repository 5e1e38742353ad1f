package dev.weir.http.internal.page;

import dev.weir.http.RequestView;
import dev.weir.http.internal.client.Addresses;
import dev.weir.http.internal.client.ForwardingHeaders;
import dev.weir.http.internal.match.HostName;
import dev.weir.internal.Expect;
import dev.weir.internal.Redaction;
import inet.ipaddr.IPAddress;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The requests that may read a page for operators. Immutable.
 *
 * @param isForUsers whether it is for users who are logged in, and for no network
 * @param networks of the peers that may read it. Both are empty if nobody may
 * @param hosts the names under which it answers, in addition to IP addresses and {@code localhost}.
 *     A foreign page could read this one under a name of its own, by DNS rebinding
 */
public record PageAccess(boolean isForUsers, List<IPAddress> networks, Set<String> hosts) {

  private static final Pattern NAME = Pattern.compile("[\\w-]{1,63}(\\.[\\w-]{1,63})*\\.?");

  private static final String RATHER_THAN_ALL = "networks that exclude some addresses";

  public PageAccess {
    networks = List.copyOf(networks);
    hosts = hosts.stream().map(HostName::canonical).collect(Collectors.toUnmodifiableSet());
  }

  public static PageAccess ofUsers(Set<String> hosts) {
    return new PageAccess(true, List.of(), hosts);
  }

  /**
   * Creates the access of peers in these networks.
   *
   * @throws dev.weir.internal.InvalidValueException when one is no network, or all of them leave
   *     out no address
   */
  public static PageAccess ofNetworks(List<String> networks, Set<String> hosts) {
    List<IPAddress> parsed =
        networks.stream().map(text -> Addresses.network("allow", text, RATHER_THAN_ALL)).toList();
    if (Addresses.containAll(parsed)) {
      throw Expect.failure("allow", Redaction.quoted(String.join(", ", networks)), RATHER_THAN_ALL);
    }
    return new PageAccess(false, parsed, hosts);
  }

  /** Returns whether the text is the name of a host, without a scheme and a port. */
  public static boolean isHostName(String text) {
    return NAME.matcher(text).matches();
  }

  public boolean isForNobody() {
    return !isForUsers && networks.isEmpty();
  }

  /**
   * Returns why this request may not read the page, without a value of the client. Empty if it may.
   * A network is that of the peer, which no header field can change. A request that a proxy has
   * passed on has the proxy's peer address, whoever sent it.
   *
   * @param user whom the application or its container has logged in
   * @param proxies the header fields in which trusted proxies name the client
   */
  public Optional<String> refusal(
      RequestView request, Optional<String> user, Collection<String> proxies) {
    if (isForNobody()) {
      return Optional.of("there is no 'allow'");
    }
    if (!isHostKnown(request)) {
      return Optional.of("its host is no address and not in 'hosts'");
    }
    if (isForUsers) {
      return user.isPresent() ? Optional.empty() : Optional.of("it has no user");
    }
    if (hasPassedProxy(request, proxies)) {
      return Optional.of(
          "it has passed a proxy, or its container reads the addresses of clients from proxies");
    }
    return isPeerAllowed(request) ? Optional.empty() : Optional.of("its peer is not in 'allow'");
  }

  private boolean isHostKnown(RequestView request) {
    String host = request.host().map(HostName::canonical).orElse("");
    return host.equals("localhost") || hosts.contains(host) || Addresses.node(host).isPresent();
  }

  private static boolean hasPassedProxy(RequestView request, Collection<String> proxies) {
    return request.isPeerAddressRewritten()
        || Stream.of(ForwardingHeaders.NAMING_THE_CLIENT, ForwardingHeaders.OTHERS, proxies)
            .flatMap(Collection::stream)
            .anyMatch(name -> !request.headers(name).isEmpty());
  }

  private boolean isPeerAllowed(RequestView request) {
    return request
        .peerAddress()
        .flatMap(Addresses::node)
        .filter(peer -> networks.stream().anyMatch(network -> network.contains(peer)))
        .isPresent();
  }
}
