package dev.weir.micrometer;

import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
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

/** A listener that counts and times the decisions and events of one Weir. Thread-safe. */
final class DecisionMeters implements RuleListener {

  /** A meter's key: its name and the tag values that distinguish it from others of that name. */
  private record Key(String name, List<Object> values) {}

  private final MeterRegistry registry;
  private final Tags tags;
  private final Map<Key, Meter> meters = new ConcurrentHashMap<>();

  DecisionMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
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
    rules.forEach(rule -> lostRefunds(rule.name()));
    shed();
    errors();
    if (sources.contains(Source.REDIS)) {
      sources.forEach(this::switches);
      probes(true);
      probes(false);
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
                .tags(tags.and(tags(outcome, lower(source))))
                .register(registry));
  }

  private static Tags tags(RuleOutcome outcome, String source) {
    return Tags.of("outcome", lower(outcome), "source", source);
  }

  @Override
  public void onStoreSwitched(Source now, String why) {
    switches(now).increment();
  }

  private Counter switches(Source now) {
    return counter("weir.store.switches", "changes of the store that decides", "store", lower(now));
  }

  @Override
  public void onProbe(boolean succeeded, String detail) {
    probes(succeeded).increment();
  }

  private Counter probes(boolean succeeded) {
    return counter(
        "weir.redis.probes",
        "probes of a primary that is out",
        "outcome",
        succeeded ? "succeeded" : "failed");
  }

  @Override
  public void onRefundLost(List<Rule> rules, StoreUnavailableException why) {
    rules.forEach(rule -> lostRefunds(rule.name()).increment());
  }

  private Counter lostRefunds(String rule) {
    return counter("weir.refunds.lost", "permits not given back", "rule", rule);
  }

  @Override
  public void onShed() {
    shed().increment();
  }

  private Counter shed() {
    return counter("weir.requests.shed", "requests turned away since there were too many");
  }

  @Override
  public void onError(String what, Throwable error) {
    errors().increment();
  }

  private Counter errors() {
    return counter("weir.errors", "failures that are no outage");
  }

  private Counter counter(String name, String description, String... labels) {
    return meter(
        Counter.class,
        new Key(name, List.of((Object[]) labels)),
        it ->
            Counter.builder(name)
                .description(description)
                .tags(tags.and(labels))
                .register(registry));
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
