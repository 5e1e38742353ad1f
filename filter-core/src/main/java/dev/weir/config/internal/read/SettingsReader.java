package dev.weir.config.internal.read;

import dev.weir.LimiterListener;
import dev.weir.OnOutage;
import dev.weir.config.ConfigurationException;
import dev.weir.config.Delays;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Reading;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.UserClass;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.document.YamlReader;
import dev.weir.http.ClientAddress;
import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.ResponseStyle;
import dev.weir.local.LocalOptions;
import java.util.List;
import java.util.Optional;

/** Reads a whole configuration. All problems are reported at once. */
public final class SettingsReader {

  private static final String EXPECTED = "a map with limits and rules";
  private static final String LISTENER =
      "the name of a class that implements " + LimiterListener.class.getName();
  private static final List<String> KEYS =
      List.of(
          "application",
          "redis",
          "nodes",
          "max-counters",
          "on-outage",
          "client-address",
          "paths",
          "responses",
          "delays",
          "listener",
          "reload",
          "limits",
          "tiers",
          "rules",
          "overload");
  private static final int MOST_NODES = 10_000;

  private final String name;
  private final ClassLoader classLoader;
  private final KeyFileReader keyFiles;

  private SettingsReader(String name, ClassLoader classLoader, KeyFileReader keyFiles) {
    this.name = name;
    this.classLoader = classLoader;
    this.keyFiles = keyFiles;
  }

  /**
   * Reads a whole configuration.
   *
   * @throws ConfigurationException with every problem
   */
  public static Settings read(
      ConfigDocument document, Variables variables, ClassLoader classLoader) {
    return read(document, variables, classLoader, new KeyFileReader(classLoader));
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
    SettingsReader reader = new SettingsReader(document.name(), classLoader, keyFiles);
    if (document instanceof ConfigDocument.InitParams params) {
      Reading reading = InitParams.reading(params, variables);
      return reader.settings(reading, InitParams.read(params, reading));
    }
    ConfigDocument.File file = (ConfigDocument.File) document;
    Reading reading = Reading.ofFile(file.name(), variables);
    return reader.settings(
        reading, Value.of(reading, "", YamlReader.read(file.name(), file.text())));
  }

  private Settings settings(Reading reading, Value root) {
    Optional<Settings> settings = root.section(EXPECTED, KEYS).map(this::settings);
    reading.throwIfAny();
    return settings.orElseThrow(IllegalStateException::new);
  }

  private Settings settings(Section top) {
    RedisReader.Found redis = RedisReader.read(top);
    Optional<Integer> nodes = top.whole("nodes", 1, MOST_NODES);
    int maxCounters =
        top.whole("max-counters", 1, LocalOptions.MOST_COUNTERS)
            .orElse(LocalOptions.DEFAULT_MAX_COUNTERS);
    OnOutage onOutage = top.oneOf("on-outage", OnOutage.LOCAL);
    ClientAddress clientAddress = HttpReader.clientAddress(top);
    MatchOptions paths = HttpReader.paths(top);
    ResponseStyle responses = HttpReader.responses(top);
    LimiterListener listener =
        top.value("listener")
            .flatMap(
                value -> new UserClass(classLoader).make(value, LISTENER, LimiterListener.class))
            .orElse(LimiterListener.NONE);
    LimitsReader limits = new LimitsReader(top);
    TiersReader tiers = new TiersReader(classLoader, keyFiles, clientAddress.trustsProxies());
    tiers.read(top);
    RulesReader rules =
        new RulesReader(
            new ClientPolicyReader(limits, tiers, keyFiles),
            new SubjectReader(classLoader),
            paths,
            onOutage);
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
        rules.rules(),
        rules.disabled(),
        new OverloadReader(paths, rules).read(top),
        Advice.notes(limits.unused(), rules.rules(), classLoader));
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
