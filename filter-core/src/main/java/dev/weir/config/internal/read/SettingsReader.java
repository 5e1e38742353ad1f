package dev.weir.config.internal.read;

import dev.weir.LimiterListener;
import dev.weir.OnOutage;
import dev.weir.config.ConfigurationException;
import dev.weir.config.Delays;
import dev.weir.config.internal.document.Choices;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Reading;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.UserClass;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.document.YamlReader;
import dev.weir.http.ClientAddress;
import dev.weir.http.MatchOptions;
import dev.weir.http.ResponseStyle;
import dev.weir.local.LocalOptions;
import dev.weir.redis.RedisClock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a whole configuration. All problems are reported at once. */
public final class SettingsReader {

  private static final String EXPECTED = "a map with limits and rules";
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
  private static final Map<String, Boolean> RELOAD = Choices.ordered("on", true, "off", false);
  private static final int MOST_NODES = 10_000;

  private final String name;
  private final Reading reading;
  private final Value root;
  private final ClassLoader classLoader;
  private final KeyFileReader keyFiles;

  private SettingsReader(
      String name, Reading reading, Value root, ClassLoader classLoader, KeyFileReader keyFiles) {
    this.name = name;
    this.reading = reading;
    this.root = root;
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
    if (document instanceof ConfigDocument.InitParams params) {
      Reading reading = InitParams.reading(params, variables);
      Value root = InitParams.read(params, reading);
      return new SettingsReader(params.name(), reading, root, classLoader, keyFiles).settings();
    }
    ConfigDocument.File file = (ConfigDocument.File) document;
    Reading reading = Reading.ofFile(file.name(), variables);
    Value root = Value.of(reading, "", YamlReader.read(file.name(), file.text()));
    return new SettingsReader(file.name(), reading, root, classLoader, keyFiles).settings();
  }

  private Settings settings() {
    Optional<Settings> settings = root.section(EXPECTED, KEYS).map(this::settings);
    reading.problems().throwIfAny();
    return settings.orElseThrow(IllegalStateException::new);
  }

  private Settings settings(Section top) {
    RedisReader.Found redis = RedisReader.read(top);
    Optional<Integer> nodes =
        top.value("nodes").flatMap(v -> v.whole(1, MOST_NODES)).map(Math::toIntExact);
    int maxCounters =
        top.value("max-counters")
            .flatMap(v -> v.whole(1, LocalOptions.MOST_COUNTERS))
            .map(Math::toIntExact)
            .orElse(LocalOptions.DEFAULT_MAX_COUNTERS);
    OnOutage onOutage =
        top.value("on-outage").flatMap(v -> v.oneOf(Choices.ON_OUTAGE)).orElse(OnOutage.LOCAL);
    ClientAddress clientAddress = HttpReader.clientAddress(top);
    MatchOptions paths = HttpReader.paths(top);
    ResponseStyle responses = HttpReader.responses(top);
    LimiterListener listener = listener(top);
    LimitsReader limits = new LimitsReader(top);
    TiersReader tiers = new TiersReader(classLoader, keyFiles, clientAddress.trustsProxies());
    tiers.read(top);
    RulesReader rules =
        new RulesReader(
            new RuleLimitsReader(limits, tiers, new ClientsReader(keyFiles)),
            new SubjectReader(classLoader),
            paths,
            onOutage);
    rules.read(top);
    refuseLeasesByNodeClock(top, redis, limits);
    return new Settings(
        name,
        top.value("reload").flatMap(v -> v.oneOf(RELOAD)).orElse(true),
        redis.options(),
        redis.denyCache(),
        nodes,
        maxCounters,
        onOutage,
        clientAddress,
        paths,
        responses,
        top.value("delays").flatMap(v -> v.oneOf(Choices.DELAYS)).orElse(Delays.AUTO),
        listener,
        keyFiles.stamps(),
        limits.all(),
        limits.leased(),
        rules.rules(),
        rules.disabled(),
        new OverloadReader(paths, rules).read(top),
        RateLimitedAnnotations.areIn(classLoader)
            ? RateLimitedAnnotations.notes(limits.unused(), rules.rules())
            : notes(limits, rules));
  }

  /**
   * Refuses leases if the nodes decide by their own clocks. All nodes must share the clock by which
   * a lease ends.
   */
  private static void refuseLeasesByNodeClock(
      Section top, RedisReader.Found redis, LimitsReader limits) {
    boolean isByNode =
        redis.options().filter(options -> options.clock() == RedisClock.NODE).isPresent();
    if (isByNode && !limits.leased().isEmpty()) {
      String names = String.join(", ", limits.leased().stream().sorted().toList());
      top.value("redis")
          .ifPresent(
              value -> value.problem("clock: node", "clock: redis, for the leases of " + names));
    }
  }

  private LimiterListener listener(Section top) {
    String expected = "the name of a class that implements " + LimiterListener.class.getName();
    return top.value("listener")
        .flatMap(
            value ->
                value
                    .text(expected)
                    .flatMap(
                        className ->
                            new UserClass(classLoader)
                                .make(value, className, LimiterListener.class)))
        .orElse(LimiterListener.NONE);
  }

  /** Returns notes on unused limits, for an application without annotations. */
  private static List<String> notes(LimitsReader limits, RulesReader rules) {
    List<String> notes = new ArrayList<>();
    if (!limits.unused().isEmpty()) {
      notes.add(
          "no rule uses " + String.join(", ", limits.unused()) + ": nothing is limited by it");
    }
    if (rules.rules().isEmpty()) {
      notes.add("there is no rule: nothing is limited");
    }
    return notes;
  }
}
