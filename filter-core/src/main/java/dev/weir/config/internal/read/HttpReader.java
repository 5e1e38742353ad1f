package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.ClientAddress;
import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.ResponseStyle;
import dev.weir.http.ResponseStyle.Legacy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the settings that apply to all requests: addresses, paths and responses. */
final class HttpReader {

  private static final String PROXIES =
      "the networks of your proxies, such as 10.0.0.0/8 or 192.0.2.7";
  private static final String HEADER = "X-Forwarded-For";
  private static final String FIELD_NAME = "a field name such as X-Forwarded-For or Forwarded";
  private static final int ALL_BITS = 128;

  /** An arbitrary trusted proxy, for validating a header by itself. */
  private static final String SOME_PROXY = "192.0.2.1";

  private HttpReader() {}

  static ClientAddress clientAddress(Section top) {
    Section section =
        top.section(
            "client-address",
            "a map with trusted-proxies, header and ipv6-prefix",
            List.of("trusted-proxies", "header", "ipv6-prefix"));
    Optional<String> header = section.value("header").flatMap(HttpReader::header);
    if (section.has("header") && !section.has("trusted-proxies")) {
      section.problem("trusted-proxies", PROXIES + ", or else the header is never read");
    }
    List<String> networks =
        section.value("trusted-proxies").map(HttpReader::networks).orElse(List.of());
    ClientAddress address =
        networks.isEmpty()
            ? ClientAddress.ofPeer()
            : ClientAddress.behind(networks, header.orElse(HEADER));
    return section.value("ipv6-prefix").flatMap(value -> prefixed(value, address)).orElse(address);
  }

  private static Optional<String> header(Value value) {
    return value.parsed(FIELD_NAME, name -> validProxies(SOME_PROXY, name, name));
  }

  private static List<String> networks(Value proxies) {
    List<String> networks = new ArrayList<>();
    for (Value item : proxies.items(PROXIES)) {
      item.parsed(PROXIES, network -> validProxies(network, HEADER, network))
          .ifPresent(networks::add);
    }
    return networks;
  }

  /** Returns the result, if this network and this header are valid. */
  private static String validProxies(String network, String header, String result) {
    ClientAddress.behind(List.of(network), header);
    return result;
  }

  private static Optional<ClientAddress> prefixed(Value value, ClientAddress address) {
    return value
        .whole(0, ALL_BITS)
        .flatMap(bits -> value.make(() -> address.withIpv6Prefix(Math.toIntExact(bits))));
  }

  static MatchOptions paths(Section top) {
    Section section =
        top.section(
            "paths",
            "a map with ignore-case and ignore-trailing-slash",
            List.of("ignore-case", "ignore-trailing-slash"));
    return new MatchOptions(
        section.flag("ignore-case", MatchOptions.DEFAULT.ignoreCase()),
        section.flag("ignore-trailing-slash", MatchOptions.DEFAULT.ignoreTrailingSlash()));
  }

  static ResponseStyle responses(Section top) {
    Section section =
        top.section(
            "responses",
            "a map with denied, fields and legacy-headers",
            List.of("denied", "fields", "legacy-headers"));
    return ResponseStyle.DEFAULT
        .withDenied(section.oneOf("denied", ResponseStyle.DEFAULT.denied()))
        .withFields(section.oneOf("fields", ResponseStyle.DEFAULT.fields()))
        .withLegacy(section.flag("legacy-headers", false) ? Legacy.X_RATELIMIT : Legacy.OFF);
  }
}
