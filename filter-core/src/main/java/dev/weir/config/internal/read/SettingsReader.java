package dev.weir.config.internal.read;

import dev.weir.LimiterListener;
import dev.weir.OnOutage;
import dev.weir.config.ConfigurationException;
import dev.weir.config.Delays;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.InitParams;
import dev.weir.config.internal.document.Reading;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.document.YamlReader;
import dev.weir.http.ClientAddress;
import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.ResponseStyle;
import dev.weir.http.ResponseStyle.Legacy;
import dev.weir.local.LocalOptions;
import java.util.List;
import java.util.Optional;

/**
 * Reads a whole configuration. All problems are reported at once. Settings at the top are read
 * here, limits and rules by readers of their own.
 */
public final class SettingsReader {

  private static final String EXPECTED = "a map with limits and rules";
  private static final String LISTENER =
      "the name of a class that implements " + LimiterListener.class.getName();
  private static final List<String> KEYS =
      List.of(
          ("application redis nodes max-counters on-outage client-address paths responses delays"
                  + " listener reload limits tiers rules overload")
              .split(" ", -1));
  private static final int MOST_NODES = 10_000;
  private static final String PROXIES =
      "the addresses or networks of your proxies, such as 10.0.0.5 or 192.0.2.16/28, or unix";
  private static final String HEADER = "X-Forwarded-For";
  private static final int ALL_BITS = 128;
  private static final String FIELDS = "draft-11, draft-7, draft-6, off";
  private static final List<String> LATER_DRAFTS = List.of("draft-8", "draft-9", "draft-10");

  /** An arbitrary trusted proxy, for validating a header by itself. */
  private static final String SOME_PROXY = "192.0.2.1";

  private final String name;
  private final KeyFileReader keyFiles;

  private SettingsReader(String name, KeyFileReader keyFiles) {
    this.name = name;
    this.keyFiles = keyFiles;
  }

  /**
   * Reads a whole configuration.
   *
   * @throws ConfigurationException with every problem
   */
  public static Settings read(
      ConfigDocument document, Variables variables, ClassLoader classLoader) {
    return read(document, variables, classLoader, new KeyFileReader());
  }

  /**
   * Reads a whole configuration.
   *
   * @param keyFiles knows afterwards which files the configuration names, valid or not
   * @throws ConfigurationException with every problem
   */
  public static Settings read(
      ConfigDocument document,
      Variables variables,
      ClassLoader classLoader,
      KeyFileReader keyFiles) {
    SettingsReader reader = new SettingsReader(document.name(), keyFiles);
    if (document instanceof InitParams params) {
      Reading reading = params.reading(variables, classLoader);
      return reader.settings(params.root(reading, RedisReader.HINTS));
    }
    ConfigDocument.File file = (ConfigDocument.File) document;
    Reading reading = Reading.ofFile(file.name(), variables, classLoader);
    return reader.settings(new Value(reading, "", YamlReader.read(file.name(), file.text())));
  }

  private Settings settings(Value root) {
    Optional<Settings> settings =
        root.section(EXPECTED, KEYS).map(top -> settings(top, root.reading().classLoader()));
    root.reading().throwIfAny();
    return settings.orElseThrow(IllegalStateException::new);
  }

  private Settings settings(Section top, ClassLoader application) {
    RedisReader.Found redis = RedisReader.read(top);
    Optional<Integer> nodes = top.whole("nodes", 1, MOST_NODES);
    int maxCounters =
        top.whole("max-counters", 1, LocalOptions.MOST_COUNTERS)
            .orElse(LocalOptions.DEFAULT_MAX_COUNTERS);
    OnOutage onOutage = top.oneOf("on-outage", OnOutage.LOCAL);
    ClientAddress clientAddress = clientAddress(top);
    MatchOptions paths = paths(top);
    ResponseStyle responses = responses(top);
    LimiterListener listener =
        top.value("listener")
            .flatMap(value -> value.instance(LISTENER, LimiterListener.class))
            .orElse(LimiterListener.NONE);
    LimitsReader limits = new LimitsReader(top);
    TiersReader tiers = new TiersReader(keyFiles, clientAddress.trustsProxies());
    tiers.read(top);
    RulesReader rules = new RulesReader(limits, tiers, keyFiles, paths, onOutage);
    rules.read(top);
    refuseLeasesByNodeClock(top, redis, limits);
    return new Settings(
        name,
        top.flag("reload", "on", "off", true),
        redis.options(),
        redis.denyCache(),
        nodes,
        maxCounters,
        onOutage,
        clientAddress,
        paths,
        responses,
        top.oneOf("delays", Delays.AUTO),
        listener,
        keyFiles.files(),
        limits.all(),
        limits.leased(),
        limits.inBytes(),
        rules.rules(),
        rules.disabled(),
        new OverloadReader(paths, rules).read(top),
        Advice.notes(limits.unused(), rules.rules(), application));
  }

  private static ClientAddress clientAddress(Section top) {
    Section section =
        top.section(
            "client-address",
            "a map with trusted-proxies, header and ipv6-prefix",
            List.of("trusted-proxies", "header", "ipv6-prefix"));
    Optional<String> header = section.value("header").flatMap(SettingsReader::header);
    if (section.has("header") && !section.has("trusted-proxies")) {
      section.missing("trusted-proxies", PROXIES + ", or else the header is never read");
    }
    ClientAddress address =
        section
            .value("trusted-proxies")
            .flatMap(proxies -> behind(proxies, header.orElse(HEADER)))
            .orElse(ClientAddress.ofPeer());
    return section.value("ipv6-prefix").flatMap(value -> prefixed(value, address)).orElse(address);
  }

  private static Optional<ClientAddress> behind(Value proxies, String header) {
    List<String> networks =
        proxies.items(PROXIES).stream()
            .flatMap(
                item ->
                    item.parsed(PROXIES, SettingsReader::network, SettingsReader::list).stream())
            .toList();
    return networks.isEmpty()
        ? Optional.empty()
        : proxies.check(() -> ClientAddress.behind(networks, header));
  }

  private static Optional<String> header(Value value) {
    return value.checked(
        "a field name such as X-Forwarded-For or Forwarded",
        name -> ClientAddress.behind(List.of(SOME_PROXY), name));
  }

  private static String network(String written) {
    ClientAddress.behind(List.of(written), HEADER);
    return written;
  }

  /** Suggests the brackets of a list that was written without them. */
  private static Optional<String> list(String proxies) {
    return proxies.contains(",")
        ? Optional.of("[" + String.join(", ", proxies.split("\\s*,\\s*")) + "]")
        : Optional.empty();
  }

  private static Optional<ClientAddress> prefixed(Value value, ClientAddress address) {
    return value
        .whole(0, ALL_BITS)
        .flatMap(bits -> value.make(() -> address.withIpv6Prefix(Math.toIntExact(bits))));
  }

  private static MatchOptions paths(Section top) {
    Section section =
        top.section(
            "paths",
            "a map with ignore-case and ignore-trailing-slash",
            List.of("ignore-case", "ignore-trailing-slash"));
    return new MatchOptions(
        section.flag("ignore-case", MatchOptions.DEFAULT.ignoreCase()),
        section.flag("ignore-trailing-slash", MatchOptions.DEFAULT.ignoreTrailingSlash()));
  }

  private static ResponseStyle responses(Section top) {
    Section section =
        top.section(
            "responses",
            "a map with denied, fields and legacy-headers",
            List.of("denied", "fields", "legacy-headers"));
    return ResponseStyle.DEFAULT
        .withDenied(section.oneOf("denied", ResponseStyle.DEFAULT.denied()))
        .withFields(fields(section))
        .withLegacy(section.flag("legacy-headers", false) ? Legacy.X_RATELIMIT : Legacy.OFF);
  }

  /** Drafts 8 to 10 have the two fields of draft 11, and no setting of their own. */
  private static ResponseStyle.Fields fields(Section section) {
    Optional<Value> later =
        section.value("fields").filter(it -> LATER_DRAFTS.stream().anyMatch(it::isText));
    if (later.isPresent()) {
      later.get().problem(later.get().found(), FIELDS, Optional.of("draft-11"));
      return ResponseStyle.DEFAULT.fields();
    }
    return section.oneOf("fields", ResponseStyle.DEFAULT.fields());
  }

  /**
   * Refuses leases if the nodes decide by their own clocks. All nodes must share the clock by which
   * a lease ends.
   */
  private static void refuseLeasesByNodeClock(
      Section top, RedisReader.Found redis, LimitsReader limits) {
    if (redis.decidesByNodeClock() && !limits.leased().isEmpty()) {
      String names = String.join(", ", limits.leased().stream().sorted().toList());
      top.value("redis")
          .ifPresent(
              value -> value.problem("clock: node", "clock: redis, for the leases of " + names));
    }
  }
}
