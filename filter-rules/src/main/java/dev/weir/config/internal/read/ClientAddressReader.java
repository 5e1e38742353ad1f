package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Mistakes;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.ClientAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads how a client's address is found. */
final class ClientAddressReader {

  private static final String PROXIES =
      "the addresses or networks of your proxies, such as 10.0.0.5 or 192.0.2.16/28, or unix";
  private static final String X_FORWARDED_FOR = "X-Forwarded-For";
  private static final String OWN_HEADER =
      "a field name: the header of these proxies, which others may not have";
  private static final String NEVER_USED =
      "a proxy without a header of its own in 'trusted-proxies', or else this is never used";
  private static final String PREFIX =
      "a NAT64 prefix of your provider such as 2001:db8:64::/96, or a list";

  /** The names of these settings in other software. */
  private static final Map<String, String> HINTS =
      Map.of(
          "proxies", "trusted-proxies: " + PROXIES,
          "hops", "trusted-hops: how many addresses your proxies add to the header",
          "proxy-count", "trusted-hops: how many addresses your proxies add to the header",
          "headers",
              "header, or '{ networks: […], header: … }' in trusted-proxies for another one");

  private static final ValueType.Text FIELD_NAME =
      new ValueType.Text(
          "a field name such as X-Forwarded-For or Forwarded",
          Forms.FIELD_NAME,
          name -> ClientAddress.behind(List.of("192.0.2.1"), name));

  private static final Key<Value> NETWORKS =
      Key.of("networks", new ValueType.Items(PROXIES, Forms.NETWORK_OR_UNIX), "[203.0.113.0/24]")
          .means(
              "The proxies that name the client in this header. The most specific network counts.");

  private static final Key<String> ITS_HEADER =
      Key.of("header", FIELD_NAME, "CF-Connecting-IP")
          .means("The header that is read if the peer is one of these proxies.");

  private static final KeyGroup OTHER_PROXIES =
      KeyGroup.of("a map with networks and header", NETWORKS, ITS_HEADER)
          .requiring(NETWORKS, ITS_HEADER);

  private static final Key<Value> TRUSTED_PROXIES =
      Key.ofParam(
              "trusted-proxies",
              new ValueType.Items(
                  PROXIES,
                  new ValueType.AnyOf(
                      PROXIES,
                      new ValueType.Form(PROXIES, Forms.NETWORK_OR_UNIX),
                      new ValueType.Mapping(OTHER_PROXIES))),
              "[10.0.0.5, 192.0.2.16/28]")
          .means(
              "The proxies in front of the application. Their header names the client; a header of"
                  + " anybody else is ignored. A map has those with another header.")
          .otherwise("none: the peer is the client");

  private static final Key.Defaulted<String> HEADER =
      Key.ofParam("header", FIELD_NAME, "Forwarded")
          .means(
              "The header in which a trusted proxy names the client. It needs `trusted-proxies`.")
          .or(X_FORWARDED_FOR);

  private static final Key<Integer> TRUSTED_HOPS =
      Key.ofParam("trusted-hops", new ValueType.Whole(1, 32), "2")
          .means(
              "How many addresses the proxies add to the header: exactly so many from the right is"
                  + " the client. It needs `trusted-proxies`.")
          .otherwise("none: the first address that is no trusted proxy's is the client");

  private static final Key<Value> NAT64 =
      Key.ofParam("nat64", new ValueType.Items(PREFIX, Forms.NAT64), "[2001:db8:64::/96]")
          .means(
              "The prefixes of a translator (RFC 6052). An IPv6 address under one counts as the IPv4"
                  + " address within.")
          .otherwise("none but `64:ff9b::/96`");

  private static final Key.Defaulted<Integer> IPV6_PREFIX =
      Key.ofParam("ipv6-prefix", new ValueType.Whole(48, 128), "56")
          .means("How many bits of an IPv6 address are one client.")
          .or(ClientAddress.DEFAULT_IPV6_PREFIX);

  private static final KeyGroup KEYS =
      KeyGroup.of(
              "a map with trusted-proxies, header and ipv6-prefix",
              TRUSTED_PROXIES,
              HEADER,
              TRUSTED_HOPS,
              IPV6_PREFIX,
              NAT64)
          .withHints(HINTS);

  static final Key<Section> CLIENT_ADDRESS =
      Key.of(
              "client-address",
              new ValueType.Mapping(KEYS),
              "{ trusted-proxies: [10.0.0.5], header: X-Forwarded-For }")
          .means("How a client's address is found behind proxies.");

  private ClientAddressReader() {}

  static ClientAddress read(Section top) {
    Section section = Key.section(CLIENT_ADDRESS, top);
    ClientAddress behind = behind(section);
    return NAT64
        .in(section)
        .flatMap(value -> translated(behind, value))
        .orElse(behind)
        .withIpv6Prefix(IPV6_PREFIX.orDefault(section));
  }

  private static ClientAddress behind(Section section) {
    String header = HEADER.orDefault(section);
    Optional<Integer> hops = TRUSTED_HOPS.in(section);
    Optional<Value> proxies = TRUSTED_PROXIES.in(section);
    if (proxies.isEmpty()) {
      if (HEADER.isIn(section)) {
        section.missing(TRUSTED_PROXIES.name(), PROXIES + ", or else the header is never read");
      }
      if (TRUSTED_HOPS.isIn(section)) {
        section.missing(TRUSTED_PROXIES.name(), PROXIES + ", or else no hop is counted");
      }
      return ClientAddress.ofPeer();
    }
    List<Value> items = proxies.get().itemsOrMap(PROXIES);
    List<Value> others = items.stream().filter(Value::isMapping).toList();
    if (!items.isEmpty() && others.size() == items.size()) {
      HEADER.written(section).ifPresent(value -> value.refuse(NEVER_USED));
      TRUSTED_HOPS.written(section).ifPresent(value -> value.refuse(NEVER_USED));
    }
    List<String> networks =
        items.stream()
            .filter(item -> !item.isMapping())
            .flatMap(item -> network(item).stream())
            .toList();
    ClientAddress behind = behind(ClientAddress.ofPeer(), proxies.get(), networks, header);
    if (hops.isPresent() && behind.trustsProxies()) {
      behind = behind.withTrustedHops(hops.get());
    }
    Pattern same = Pattern.compile(Pattern.quote(header), Pattern.CASE_INSENSITIVE);
    for (Value other : others) {
      Optional<Value> own = other.names(PROXIES).flatMap(ITS_HEADER::written);
      if (TRUSTED_HOPS.isIn(section) && own.filter(it -> it.isLike(same)).isPresent()) {
        own.get().refuse("another header than '" + header + "', which 'trusted-hops' counts");
      }
      behind = behind(behind, other);
    }
    return behind;
  }

  /** Adds the proxies of a map, which have a header of their own. */
  private static ClientAddress behind(ClientAddress some, Value other) {
    Optional<Section> read = OTHER_PROXIES.read(other);
    if (read.isEmpty()) {
      return some;
    }
    Section map = read.get();
    if (!NETWORKS.isIn(map) && !ITS_HEADER.isIn(map)) {
      other.refuse("networks and header in this map, or networks without a map");
      return some;
    }
    Optional<Value> networks = NETWORKS.required(map, PROXIES);
    Optional<String> header = ITS_HEADER.required(map, OWN_HEADER).flatMap(ITS_HEADER.type()::read);
    if (networks.isEmpty()) {
      return some;
    }
    List<String> all =
        networks.get().items(PROXIES).stream().flatMap(item -> network(item).stream()).toList();
    return header.map(name -> behind(some, networks.get(), all, name)).orElse(some);
  }

  /** Adds proxies, unless there is none, or one has a problem. */
  private static ClientAddress behind(
      ClientAddress some, Value place, List<String> networks, String header) {
    return networks.isEmpty()
        ? some
        : place.check(() -> some.orBehind(networks, header)).orElse(some);
  }

  private static Optional<String> network(Value item) {
    return item.parsed(
        PROXIES,
        text -> {
          ClientAddress.behind(List.of(text), X_FORWARDED_FOR);
          return text;
        },
        Mistakes.LIST::meant);
  }

  private static Optional<ClientAddress> translated(ClientAddress some, Value prefixes) {
    List<String> all =
        prefixes.each(
            PREFIX,
            text -> {
              ClientAddress.ofPeer().withNat64(List.of(text));
              return text;
            },
            Mistakes.LIST::meant);
    return all.isEmpty() ? Optional.empty() : prefixes.check(() -> some.withNat64(all));
  }
}
