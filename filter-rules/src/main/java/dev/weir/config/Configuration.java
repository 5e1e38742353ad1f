package dev.weir.config;

import dev.weir.config.internal.document.Assumptions;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.read.Advice;
import dev.weir.config.internal.read.KeyFileReader;
import dev.weir.config.internal.read.Settings;
import dev.weir.config.internal.read.SettingsReader;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.RuleLimiter;
import dev.weir.http.RuleListener;
import dev.weir.redis.RedisOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A valid configuration that does not run, as {@link Weir#read(java.nio.file.Path, ReadOptions)}
 * returns it to tools and tests. Immutable.
 *
 * <pre>{@code
 * Configuration shop = Weir.read(Path.of("weir.yaml"), ReadOptions.STRICT.withAssumedEnvironment());
 * shop.warnings().forEach(System.out::println);
 * System.out.println(shop.rules().size() + " rules");
 * }</pre>
 *
 * @param name as messages call it
 * @param rules the enabled ones, in order
 * @param disabled the names of the other rules
 * @param limits those that have a name, by it. A rule has its limits in place too
 * @param settings what all rules share: how the client's address is found, the style of responses,
 *     the deadline, overload, and functions of numbers. The listener is none
 * @param redis where counters are; empty where each node counts in process
 * @param denyCache how long a denial by Redis is repeated in process; empty when it is not
 * @param nodes how many nodes share a limit without Redis, if configured
 * @param warnings what may not do what its owner expects, one line each, as a start logs them
 * @param notes remarks on what may be intended, and on what was assumed
 */
public record Configuration(
    String name,
    List<Rule> rules,
    Set<String> disabled,
    Map<String, NamedLimit> limits,
    RuleLimiter.Settings settings,
    Optional<RedisOptions> redis,
    Optional<Duration> denyCache,
    Optional<Integer> nodes,
    List<String> warnings,
    List<String> notes) {

  public Configuration {
    rules = List.copyOf(rules);
    disabled = Set.copyOf(disabled);
    limits = Map.copyOf(limits);
    warnings = List.copyOf(warnings);
    notes = List.copyOf(notes);
  }

  /** Reads the document, and starts nothing. */
  static Configuration read(
      ConfigDocument document, WeirSource source, Variables variables, ReadOptions options) {
    Assumptions assumptions =
        new Assumptions(options.assumesEnvironment(), options.assumesClasses());
    Settings settings =
        SettingsReader.read(
            document,
            variables,
            source.classLoader(),
            source.resources(),
            assumptions,
            new KeyFileReader());
    List<String> advice =
        WeirRuntime.advice(
            settings,
            source,
            source.contextPath().stream().toList(),
            options.assumesClasses() || Advice.hasAnnotation(source.classLoader()));
    List<String> notes = new ArrayList<>(settings.origin().notes());
    notes.addAll(assumptions.notes());
    if (assumptions.areRulesMissing()) {
      notes.addAll(advice); // a rule that was left out may be what it misses
    }
    return new Configuration(
        settings.name(),
        settings.rules().enabled(),
        settings.rules().disabled(),
        settings.limits().byName(),
        WeirRuntime.limiterSettings(settings, RuleListener.NONE),
        settings.counting().redis(),
        settings.counting().denyCache(),
        settings.counting().configuredNodes(),
        assumptions.areRulesMissing() ? List.of() : advice,
        notes);
  }
}
