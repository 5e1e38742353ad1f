package dev.weir.micrometer;

import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.Source;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A listener that counts and times the decisions of one Weir. Thread-safe. */
final class DecisionMeters implements RuleListener {

  /** A meter's key: its name and the tag values that distinguish it from others of that name. */
  private record Key(String name, List<Object> values) {}

  private final MeterRegistry registry;
  private final Tags tags;
  private final Duration[] buckets;
  private final Map<Key, Meter> meters = new ConcurrentHashMap<>();

  /**
   * @param deadline of a decision, by which the upper buckets of the durations are chosen
   */
  DecisionMeters(MeterRegistry registry, Tags tags, Duration deadline) {
    this.registry = registry;
    this.tags = tags;
    this.buckets =
        new Duration[] {
          Duration.ofMillis(1),
          Duration.ofMillis(5),
          Duration.ofMillis(25),
          deadline,
          deadline.plus(deadline.dividedBy(16)) // the latest time at which a decision returns
        };
  }

  /**
   * Registers the counters of events that may happen, so that they exist at zero before. A rate
   * over a counter misses its first event otherwise.
   *
   * @param sources of usual decisions; others are registered with their first one
   */
  void registerAtZero(List<Rule> rules, Set<Source> sources) {
    for (Source source : sources) {
      for (Rule rule : rules) {
        RuleOutcome denial = rule.isShadow() ? RuleOutcome.SHADOW_DENIED : RuleOutcome.DENIED;
        decisions(rule.name(), RuleOutcome.ALLOWED, Optional.of(source));
        decisions(rule.name(), denial, Optional.of(source));
        rule.onDenial()
            .ban()
            .ifPresent(ban -> decisions(rule.name(), RuleOutcome.BANNED, Optional.of(source)));
      }
      durations(RuleOutcome.ALLOWED, source);
      durations(RuleOutcome.DENIED, source);
    }
  }

  @Override
  public void onRequestDecided(List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
    Optional<Source> source = decision.map(Decision::source);
    rules.forEach(rule -> decisions(rule.name(), outcome, source).increment());
  }

  private Counter decisions(String rule, RuleOutcome outcome, Optional<Source> counted) {
    String source = counted.map(DecisionMeters::lower).orElse("rule");
    Key key = new Key("weir.decisions", List.of(rule, outcome, source));
    return meter(
        Counter.class,
        key,
        it ->
            Counter.builder(it.name())
                .description(
                    "requests that a rule allowed, denied, banned, or would deny as a shadow")
                .tags(tags.and("rule", rule).and(tags(outcome, source)))
                .register(registry));
  }

  @Override
  public void onDecision(AcquireRequest request, Decision decision, Duration took) {
    durations(decision.allowed() ? RuleOutcome.ALLOWED : RuleOutcome.DENIED, decision.source())
        .record(took);
  }

  private Timer durations(RuleOutcome outcome, Source source) {
    Key key = new Key("weir.decision.duration", List.of(outcome, source));
    return meter(
        Timer.class,
        key,
        it ->
            Timer.builder(it.name())
                .description("how long a decision of the store takes")
                .serviceLevelObjectives(buckets)
                .tags(tags.and(tags(outcome, lower(source))))
                .register(registry));
  }

  private static Tags tags(RuleOutcome outcome, String source) {
    return Tags.of("outcome", lower(outcome), "source", source);
  }

  private <M extends Meter> M meter(Class<M> type, Key key, Function<Key, M> register) {
    Meter known = meters.get(key);
    return type.cast(known == null ? meters.computeIfAbsent(key, register) : known);
  }

  /** Removes the meters from the registry. */
  void remove() {
    for (Meter meter : meters.values()) {
      registry.remove(meter);
    }
    meters.clear();
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
