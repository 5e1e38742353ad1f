package dev.weir.micrometer;

import dev.weir.http.OnDenial;
import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.Source;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** A listener that times the decisions and the waits of one Weir. Thread-safe. */
final class DecisionTimers implements RuleListener {

  /** A timer's key: its name and the tag values that distinguish it from others of that name. */
  private record Key(String name, List<Object> values) {}

  private final MeterRegistry registry;
  private final Tags tags;
  private final Duration[] buckets;
  private final Map<Key, Timer> timers = new ConcurrentHashMap<>();

  /**
   * @param deadline of a decision, by which the upper buckets of the durations are chosen
   */
  DecisionTimers(MeterRegistry registry, Tags tags, Duration deadline) {
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
   * Registers the timers of events that may happen, so that they exist at zero before. A rate over
   * a counter misses its first event otherwise.
   *
   * @param sources of usual decisions; others are registered with their first one
   */
  void registerAtZero(List<Rule> rules, Set<Source> sources) {
    for (Source source : sources) {
      durations(RuleOutcome.ALLOWED, source);
      durations(RuleOutcome.DENIED, source);
    }
    for (Rule rule : rules) {
      if (rule.onDenial() instanceof OnDenial.Delay) {
        Stream.of(WaitEnd.values()).forEach(end -> waits(rule.name(), end));
      }
    }
  }

  @Override
  public void onDecision(AcquireRequest request, Decision decision, Duration took) {
    durations(decision.allowed() ? RuleOutcome.ALLOWED : RuleOutcome.DENIED, decision.source())
        .record(took);
  }

  private Timer durations(RuleOutcome outcome, Source source) {
    Key key = new Key("weir.decision.duration", List.of(outcome, source));
    return timer(
        key,
        it ->
            Timer.builder(it.name())
                .description("how long a decision of the store takes")
                .serviceLevelObjectives(buckets)
                .tags(tags.and("outcome", lower(outcome), "source", lower(source)))
                .register(registry));
  }

  @Override
  public void onWaited(List<Rule> rules, WaitEnd end, Duration waited) {
    rules.forEach(rule -> waits(rule.name(), end).record(waited));
  }

  private Timer waits(String rule, WaitEnd end) {
    Key key = new Key("weir.delay", List.of(rule, end));
    return timer(
        key,
        it ->
            Timer.builder(it.name())
                .description("how long requests wait for what a rule delays")
                .tags(tags.and("rule", rule, "outcome", lower(end)))
                .register(registry));
  }

  private Timer timer(Key key, Function<Key, Timer> register) {
    Timer known = timers.get(key);
    return known == null ? timers.computeIfAbsent(key, register) : known;
  }

  /** Removes the meters from the registry. */
  void remove() {
    for (Timer timer : timers.values()) {
      registry.remove(timer);
    }
    timers.clear();
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
