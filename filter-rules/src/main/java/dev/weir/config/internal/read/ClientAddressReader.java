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
import java.util.Optional;

/** Reads how a client's address is found. */
final class ClientAddressReader {

  private static final String PROXIES =
      "the addresses or networks of your proxies, such as 10.0.0.5 or 192.0.2.16/28, or unix";
  private static final String X_FORWARDED_FOR = "X-Forwarded-For";

  private static final Key<Value> TRUSTED_PROXIES =
      Key.ofParam(
              "trusted-proxies",
              new ValueType.Items(PROXIES, Forms.NETWORK_OR_UNIX),
              "[10.0.0.5, 192.0.2.16/28]")
          .means(
              "The proxies in front of the application. Their header names the client; a header of"
                  + " anybody else is ignored.")
          .otherwise("none: the peer is the client");

  private static final Key.Defaulted<String> HEADER =
      Key.ofParam(
              "header",
              new ValueType.Text(
                  "a field name such as X-Forwarded-For or Forwarded",
                  Forms.FIELD_NAME,
                  name -> ClientAddress.behind(List.of("192.0.2.1"), name)),
              "Forwarded")
          .means(
              "The header in which a trusted proxy names the client. It needs `trusted-proxies`.")
          .or(X_FORWARDED_FOR);

  private static final Key.Defaulted<Integer> IPV6_PREFIX =
      Key.ofParam("ipv6-prefix", new ValueType.Whole(48, 128), "56")
          .means("How many bits of an IPv6 address are one client.")
          .or(ClientAddress.DEFAULT_IPV6_PREFIX);

  private static final KeyGroup KEYS =
      KeyGroup.of(
          "a map with trusted-proxies, header and ipv6-prefix",
          TRUSTED_PROXIES,
          HEADER,
          IPV6_PREFIX);

  static final Key<Section> CLIENT_ADDRESS =
      Key.of(
              "client-address",
              new ValueType.Mapping(KEYS),
              "{ trusted-proxies: [10.0.0.5], header: X-Forwarded-For }")
          .means("How a client's address is found behind proxies.");

  private ClientAddressReader() {}

  static ClientAddress read(Section top) {
    Section section = Key.section(CLIENT_ADDRESS, top);
    String header = HEADER.orDefault(section);
    if (HEADER.isIn(section) && !TRUSTED_PROXIES.isIn(section)) {
      section.missing(TRUSTED_PROXIES.name(), PROXIES + ", or else the header is never read");
    }
    return TRUSTED_PROXIES
        .in(section)
        .flatMap(proxies -> behind(proxies, header))
        .orElse(ClientAddress.ofPeer())
        .withIpv6Prefix(IPV6_PREFIX.orDefault(section));
  }

  private static Optional<ClientAddress> behind(Value proxies, String header) {
    List<String> networks =
        proxies.each(PROXIES, ClientAddressReader::network, Mistakes.LIST::meant);
    return networks.isEmpty()
        ? Optional.empty()
        : proxies.check(() -> ClientAddress.behind(networks, header));
  }

  private static String network(String written) {
    ClientAddress.behind(List.of(written), X_FORWARDED_FOR);
    return written;
  }
}
