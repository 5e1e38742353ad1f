package dev.weir.config.internal.read;

import dev.weir.config.ConfigurationException;
import dev.weir.config.Weir.Delays;
import dev.weir.config.WeirSource.Resources;
import dev.weir.config.internal.document.Assumptions;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Reading;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.document.YamlReader;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.ClientAddress;
import dev.weir.http.Overload;
import dev.weir.http.RequestMatcher.MatchOptions;
import dev.weir.http.ResponseStyle;
import dev.weir.http.RuleListener;
import dev.weir.local.LocalOptions;
import dev.weir.redis.RedisOptions;
import dev.weir.store.OnOutage;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Reads a whole configuration. All problems are reported at once. Settings at the top are read
 * here, limits and rules by readers of their own.
 */
public final class SettingsReader {

  private static final Key<Integer> NODES =
      Key.ofParam("nodes", new ValueType.Whole(1, 10_000), "3")
          .means(
              "How many nodes share a limit at least, where each counts in process: without Redis and"
                  + " in an outage.")
          .otherwise("1, with a warning where it matters");

  private static final Key.Defaulted<Integer> MAX_COUNTERS =
      Key.ofParam("max-counters", new ValueType.Whole(1, LocalOptions.MOST_COUNTERS), "20_000")
          .means(
              "How many subjects a node counts apart in process, over all limits. Further ones share a"
                  + " counter.")
          .or(LocalOptions.DEFAULT_MAX_COUNTERS);

  private static final Key.Defaulted<OnOutage> ON_OUTAGE =
      Key.ofParam("on-outage", new ValueType.Choice<>(OnOutage.class), "deny")
          .means(
              "What decides while Redis does not answer, for rules that do not say it. Of several"
                  + " rules the strictest holds.")
          .or(OnOutage.LOCAL);

  private static final Key.Defaulted<Boolean> SHADOW =
      Key.ofParam("shadow", ValueType.Flag.ON_OR_OFF, "on")
          .means(
              "Whether all rules only observe, lists and overload control too. No request is denied,"
                  + " and a warning says so each hour.")
          .or(false);

  private static final Key.Defaulted<Delays> DELAYS =
      Key.ofParam("delays", new ValueType.Choice<>(Delays.class), "async")
          .means("How delayed requests wait.")
          .needsRestart()
          .or(Delays.AUTO);

  private static final Key.Defaulted<RuleListener> LISTENER =
      Key.ofParam("listener", new ValueType.Instance<>(RuleListener.class), "com.example.Listening")
          .means("A public class of yours that is notified of decisions and outages.")
          .otherwise("none")
          .needsRestart()
          .or(RuleListener.NONE);

  private static final Key.Defaulted<Boolean> RELOAD =
      Key.of("reload", ValueType.Flag.ON_OR_OFF, "off")
          .means("Whether a file of the file system is watched, and reloaded when it has changed.")
          .or(true);

  /** The keys at the top. All others are below them. */
  public static final KeyGroup KEYS =
      KeyGroup.of(
          "a map with limits and rules",
          RedisReader.APPLICATION,
          RedisReader.REDIS,
          NODES,
          MAX_COUNTERS,
          ON_OUTAGE,
          SHADOW,
          ClientAddressReader.CLIENT_ADDRESS,
          PathsReader.PATHS,
          ResponsesReader.RESPONSES,
          DELAYS,
          LISTENER,
          RELOAD,
          LimitsReader.LIMITS,
          TiersReader.TIERS,
          RulesReader.RULES,
          OverloadReader.OVERLOAD);

  private static final ParamsReader PARAMS = ParamsReader.of(KEYS);

  private SettingsReader() {}

  /** Reads a configuration outside of a web application, whose key files are not watched. */
  public static Settings read(
      ConfigDocument document, Variables variables, ClassLoader classLoader) {
    return read(document, variables, classLoader, Resources.NONE, new KeyFileReader());
  }

  /** Reads the configuration of a web application in it, where nothing is assumed. */
  public static Settings read(
      ConfigDocument document,
      Variables variables,
      ClassLoader classLoader,
      Resources resources,
      KeyFileReader keyFiles) {
    return read(document, variables, classLoader, resources, Assumptions.none(), keyFiles);
  }

  /**
   * Reads a whole configuration.
   *
   * @param resources of the web application
   * @param assumptions what may be missing here
   * @param keyFiles knows afterwards which files the configuration names, valid or not
   * @throws ConfigurationException with every problem
   */
  public static Settings read(
      ConfigDocument document,
      Variables variables,
      ClassLoader classLoader,
      Resources resources,
      Assumptions assumptions,
      KeyFileReader keyFiles) {
    Value root;
    if (document instanceof ConfigDocument.File file) {
      Reading reading =
          new Reading(
              file.name(),
              variables,
              classLoader,
              resources,
              assumptions,
              UnaryOperator.identity());
      root = new Value(reading, "", YamlReader.read(file.name(), file.text()));
    } else {
      ConfigDocument.InitParams params = (ConfigDocument.InitParams) document;
      root =
          PARAMS.root(
              params, variables, classLoader, Resources.NONE, assumptions, RedisReader.HINTS);
    }
    Optional<Settings> settings =
        KEYS.read(root)
            .map(
                top ->
                    settings(
                        document.name(),
                        top,
                        assumptions.haveClasses() || Advice.hasAnnotation(classLoader),
                        keyFiles));
    root.reading().throwIfAny();
    return settings.orElseThrow(IllegalStateException::new);
  }

  private static Settings settings(
      String name, Section top, boolean mayBeAnnotated, KeyFileReader keyFiles) {
    RedisReader.Found redis = RedisReader.read(top);
    Optional<Integer> nodes = NODES.in(top);
    int maxCounters = MAX_COUNTERS.orDefault(top);
    OnOutage onOutage = ON_OUTAGE.orDefault(top);
    ClientAddress clientAddress = ClientAddressReader.read(top);
    MatchOptions paths = PathsReader.read(top);
    ResponseStyle responses = ResponsesReader.read(top);
    RuleListener listener = LISTENER.orDefault(top);
    LimitsReader limits = new LimitsReader(top);
    TiersReader tiers = new TiersReader(keyFiles, clientAddress.trustsProxies());
    tiers.read(top);
    RulesReader rules =
        new RulesReader(limits, tiers, keyFiles, paths, onOutage, responses.denied());
    rules.read(top);
    refuseLeasesByNodeClock(top, redis, limits);
    boolean areShadows = SHADOW.orDefault(top);
    Delays delays = DELAYS.orDefault(top);
    Optional<Overload> overload =
        new OverloadReader(paths, rules).read(top).map(it -> areShadows ? it.asShadow() : it);
    return new Settings(
        new Settings.Origin(
            name,
            RELOAD.orDefault(top),
            keyFiles.files(),
            Advice.notes(limits.unused(), rules.rules(), redis.options(), mayBeAnnotated)),
        new Settings.Counting(redis.options(), redis.denyCache(), nodes, maxCounters, listener),
        new Settings.Requests(clientAddress, paths, responses, delays, overload),
        new Settings.Limits(limits.all(), limits.leased(), limits.inBytes(), limits.functions()),
        Settings.Rules.of(rules.rules(), rules.disabled(), onOutage, areShadows));
  }

  /**
   * Refuses leases if the nodes decide by their own clocks. All nodes must share the clock by which
   * a lease ends.
   */
  private static void refuseLeasesByNodeClock(
      Section top, RedisReader.Found redis, LimitsReader limits) {
    boolean isByNodes =
        redis.options().filter(it -> it.clock() == RedisOptions.Clock.NODE).isPresent();
    if (isByNodes && !limits.leased().isEmpty()) {
      String names = String.join(", ", limits.leased().stream().sorted().toList());
      RedisReader.REDIS
          .written(top)
          .ifPresent(
              value -> value.problem("clock: node", "clock: redis, for the leases of " + names));
    }
  }
}
