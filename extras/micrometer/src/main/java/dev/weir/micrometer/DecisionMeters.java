package dev.weir.micrometer;

import dev.weir.AcquireRequest;
import dev.weir.Decision;
import dev.weir.LimiterListener;
import dev.weir.RuleOutcome;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** A listener that counts and times the decisions and events of one Weir. Thread-safe. */
final class DecisionMeters implements LimiterListener {

  /** A meter's key: its name and the tag values that distinguish it from others of that name. */
  private record Key(String name, List<Object> values) {}

  private final MeterRegistry registry;
  private final Tags tags;
  private final Map<Key, Meter> meters = new ConcurrentHashMap<>();

  DecisionMeters(MeterRegistry registry, Tags tags) {
    this.registry = registry;
    this.tags = tags;
  }

  @Override
  public void onRequestDecided(List<String> rules, RuleOutcome outcome, Decision decision) {
    for (String rule : rules) {
      Key key = new Key("weir.decisions", List.of(rule, outcome, decision.source()));
      meter(
              Counter.class,
              key,
              it ->
                  Counter.builder(it.name())
                      .description(
                          "requests that a rule allowed, denied, or would deny as a shadow")
                      .tags(tags.and("rule", rule).and(tags(outcome, decision)))
                      .register(registry))
          .increment();
    }
  }

  @Override
  public void onDecision(AcquireRequest request, Decision decision, Duration took) {
    RuleOutcome outcome = decision.allowed() ? RuleOutcome.ALLOWED : RuleOutcome.DENIED;
    Key key = new Key("weir.decision.duration", List.of(outcome, decision.source()));
    meter(
            Timer.class,
            key,
            it ->
                Timer.builder(it.name())
                    .description("how long a decision of the store takes")
                    .tags(tags.and(tags(outcome, decision)))
                    .register(registry))
        .record(took);
  }

  private static Tags tags(RuleOutcome outcome, Decision decision) {
    return Tags.of("outcome", lower(outcome), "source", lower(decision.source()));
  }

  @Override
  public void onStoreSwitched(Source now, String why) {
    count("weir.store.switches", "changes of the store that decides", "store", lower(now));
  }

  @Override
  public void onProbe(boolean succeeded, String detail) {
    count(
        "weir.probes",
        "probes of a primary that is out",
        "outcome",
        succeeded ? "succeeded" : "failed");
  }

  @Override
  public void onRefundLost(List<String> rules, StoreUnavailableException why) {
    rules.forEach(rule -> count("weir.refunds.lost", "permits not given back", "rule", rule));
  }

  @Override
  public void onShed() {
    count("weir.shed", "requests turned away since there were too many");
  }

  @Override
  public void onError(String what, Throwable error) {
    count("weir.errors", "failures that are no outage");
  }

  private void count(String name, String description, String... labels) {
    meter(
            Counter.class,
            new Key(name, List.of((Object[]) labels)),
            it ->
                Counter.builder(name)
                    .description(description)
                    .tags(tags.and(labels))
                    .register(registry))
        .increment();
  }

  private <M extends Meter> M meter(Class<M> type, Key key, Function<Key, M> register) {
    Meter known = meters.get(key);
    return type.cast(known == null ? meters.computeIfAbsent(key, register) : known);
  }

  /** Removes the meters from the registry. */
  void remove() {
    meters.values().forEach(registry::remove);
    meters.clear();
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
