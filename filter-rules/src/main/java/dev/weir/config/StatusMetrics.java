package dev.weir.config;

import static dev.weir.config.WeirStatus.lower;

import dev.weir.config.StatusMetric.Kind;
import dev.weir.http.RequestCounts.Decisions;
import dev.weir.http.RequestCounts.Denials;
import dev.weir.http.RequestCounts.Outcome;
import dev.weir.http.RequestCounts.Reason;
import dev.weir.http.Rule;
import dev.weir.http.RuleLimiter.InFlight;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.redis.RedisStatus;
import dev.weir.redis.RedisStatus.Breaker;
import dev.weir.store.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * The table of all metrics that a status has. Those of rules exist at zero before their first
 * event: a rate over a counter misses its first event otherwise.
 */
final class StatusMetrics {

  private final List<StatusMetric> metrics = new ArrayList<>();

  private record DecisionKind(String rule, RuleOutcome outcome, Optional<Source> source) {
    static DecisionKind of(Decisions decisions) {
      return new DecisionKind(decisions.rule(), decisions.outcome(), decisions.source());
    }
  }

  private record DenialKind(String rule, String limit, Reason reason, boolean isShadow) {
    static DenialKind of(Denials denials) {
      return new DenialKind(denials.rule(), denials.limit(), denials.reason(), denials.isShadow());
    }
  }

  private StatusMetrics() {}

  /**
   * Returns the metrics of this status and of later ones, until there are other rules or a rare
   * event happens for the first time.
   *
   * @param rules all rules that may decide
   */
  static List<StatusMetric> of(WeirStatus now, Collection<Rule> rules) {
    StatusMetrics table = new StatusMetrics();
    table.info(now);
    table.requests();
    table.decisions(now, rules);
    table.denials(now, rules);
    table.configuration();
    table.counters(now);
    table.nodes();
    if (now.redis().isPresent()) {
      table.redis();
    }
    return List.copyOf(table.metrics);
  }

  private void info(WeirStatus now) {
    gauge(
        "weir.info",
        "the version, the application's name in Redis, and the configuration",
        status -> 1,
        "version",
        now.version(),
        "application",
        now.application().orElse("none"),
        "config",
        now.loaded().source());
  }

  private void requests() {
    for (Outcome outcome : Outcome.values()) {
      counter(
          "weir.requests",
          "requests, each once, by what became of them",
          status -> status.counts().requests().getOrDefault(outcome, 0L),
          "outcome",
          lower(outcome));
    }
    gauge(
        "weir.requests.waiting", "requests that wait for what a rule delays", WeirStatus::waiting);
    gauge(
        "weir.requests.active",
        "requests in the application; 0 without overload control",
        status -> status.overload().map(InFlight::inFlight).orElse(0));
    gauge(
        "weir.requests.max",
        "requests that may be in the application; 0 without overload control",
        status -> status.overload().map(InFlight::number).orElse(0));
    counter(
        "weir.requests.shed",
        "requests turned away since there were too many",
        status -> status.overload().map(InFlight::shed).orElse(0L));
    counter(
        "weir.shadow.shed",
        "requests that would have been turned away since there were too many",
        status -> status.overload().map(InFlight::shadowShed).orElse(0L));
    counter(
        "weir.permits.lost",
        "requests that lost the permits of a concurrent limit before they ended",
        status -> status.events().permitsLost());
    counter("weir.errors", "failures that are no outage", status -> status.events().errors());
  }

  private void decisions(WeirStatus now, Collection<Rule> rules) {
    Set<DecisionKind> kinds = new LinkedHashSet<>();
    for (Rule rule : rules) {
      for (RuleOutcome outcome : WeirStatus.outcomes(rule)) {
        now.usualSources()
            .forEach(it -> kinds.add(new DecisionKind(rule.name(), outcome, Optional.of(it))));
      }
    }
    now.decisions().forEach(it -> kinds.add(DecisionKind.of(it)));
    for (DecisionKind kind : kinds) {
      counter(
          "weir.decisions",
          "requests that a rule allowed, denied, banned, or would deny as a shadow",
          status -> count(status, kind),
          "rule",
          kind.rule(),
          "outcome",
          lower(kind.outcome()),
          "source",
          kind.source().map(WeirStatus::lower).orElse("rule"));
    }
  }

  private static long count(WeirStatus status, DecisionKind kind) {
    return status.decisions().stream()
        .filter(each -> each.rule().equals(kind.rule()) && DecisionKind.of(each).equals(kind))
        .mapToLong(Decisions::count)
        .sum();
  }

  private void denials(WeirStatus now, Collection<Rule> rules) {
    Set<DenialKind> kinds = new LinkedHashSet<>();
    rules.forEach(rule -> Denials.noneYet(rule).forEach(it -> kinds.add(DenialKind.of(it))));
    now.counts().denials().forEach(it -> kinds.add(DenialKind.of(it)));
    for (DenialKind kind : kinds) {
      counter(
          kind.isShadow() ? "weir.shadow.denials" : "weir.denials",
          kind.isShadow()
              ? "what shadows would deny, by the limit and the reason"
              : "denials, by the limit that denied and the reason",
          status -> count(status, kind),
          "rule",
          kind.rule(),
          "limit",
          WeirStatus.limitOf(kind.limit()),
          "reason",
          lower(kind.reason()));
    }
    for (String rule : new TreeSet<>(now.events().refundsLost().keySet())) {
      counter(
          "weir.refunds.lost",
          "how often permits were not given back",
          status -> status.events().refundsLost().getOrDefault(rule, 0L),
          "rule",
          rule);
    }
  }

  private static long count(WeirStatus status, DenialKind kind) {
    return status.counts().denials().stream()
        .filter(each -> each.rule().equals(kind.rule()) && DenialKind.of(each).equals(kind))
        .mapToLong(Denials::count)
        .sum();
  }

  private void configuration() {
    gauge(
        "weir.shadow",
        "1 while all rules only observe, and deny nothing",
        status -> status.areShadows() ? 1 : 0);
    seconds(
        "weir.config.loaded.time",
        "when the configuration was loaded, since 1970",
        status -> seconds(status.loaded().at()));
    gauge(
        "weir.config.failing",
        "1 while the changed file cannot be reloaded, else 0",
        status -> status.loaded().problem().isPresent() ? 1 : 0);
    byOutcome(
        "weir.config.reloads",
        "reloads of the configuration",
        status -> status.loaded().reloads(),
        status -> status.loaded().failedReloads());
  }

  private void counters(WeirStatus now) {
    gauge("weir.counters.local", "counters in process", status -> status.counters().held());
    gauge(
        "weir.counters.max",
        "counters that may be in process: max-counters",
        status -> status.counters().max());
    for (String limit : new TreeSet<>(now.counters().overflowed().keySet())) {
      counter(
          "weir.counters.overflowed",
          "uses of a counter in process that several subjects share for want of room",
          status -> status.counters().overflowed().getOrDefault(limit, 0L),
          "limit",
          limit);
    }
    gauge("weir.leases", "counters of which this node holds leased permits", WeirStatus::leases);
  }

  private void nodes() {
    gauge("weir.nodes.live", "nodes that share the limits", WeirStatus::liveNodes);
    gauge(
        "weir.nodes.reckoned",
        "nodes by which this one divides the limits when it decides in process",
        WeirStatus::reckonedNodes);
  }

  private void redis() {
    gauge("weir.nodes.lost", "nodes lost within ten minutes", ofRedis(RedisStatus::lostNodes));
    seconds(
        "weir.clock.skew",
        "how far the clock of Redis is ahead of this node's, to half a round trip",
        ofRedis(redis -> redis.clockSkew().map(StatusMetrics::seconds).orElse(Double.NaN)));
    for (Breaker state : Breaker.values()) {
      gauge(
          "weir.redis.primaries",
          "primaries, by the state of their breaker",
          ofRedis(redis -> redis.primaries(state)),
          "breaker",
          lower(state));
    }
    gauge(
        "weir.redis.primaries.out",
        "primaries that do not decide; 1 while none is known",
        ofRedis(RedisStatus::primariesOut));
    gauge("weir.redis.calls.waiting", "calls that wait to be sent", ofRedis(RedisStatus::waiting));
    gauge("weir.redis.batches.max", "batches that may be in flight", ofRedis(RedisStatus::window));
    seconds(
        "weir.redis.roundtrip.min",
        "the shortest round trip since the last outage, to the farthest primary",
        ofRedis(redis -> seconds(redis.roundTrip())));
    counter("weir.redis.batches", "batches that were sent", ofRedis(RedisStatus::batches));
    counter("weir.redis.calls", "calls that were sent", ofRedis(RedisStatus::calls));
    byOutcome(
        "weir.redis.probes",
        "probes of a primary that is out",
        status -> status.events().probesSucceeded(),
        status -> status.events().probesFailed());
    for (Source store : List.of(Source.REDIS, Source.LOCAL)) {
      counter(
          "weir.store.switches",
          "how often a primary was out (local), and how often one decided again (redis)",
          status -> status.events().storeSwitches().getOrDefault(store, 0L),
          "store",
          lower(store));
    }
    seconds(
        "weir.store.switched.time",
        "when a primary was last out, or decided again, since 1970; 0 before the first time",
        status -> seconds(status.events().lastStoreSwitch().orElse(Instant.EPOCH)));
  }

  private static ToDoubleFunction<WeirStatus> ofRedis(ToDoubleFunction<RedisStatus> value) {
    return status -> value.applyAsDouble(status.redis().orElseThrow());
  }

  private void byOutcome(
      String name,
      String help,
      ToDoubleFunction<WeirStatus> succeeded,
      ToDoubleFunction<WeirStatus> failed) {
    counter(name, help, succeeded, "outcome", "succeeded");
    counter(name, help, failed, "outcome", "failed");
  }

  private void counter(
      String name, String help, ToDoubleFunction<WeirStatus> value, String... labels) {
    add(name, Kind.COUNTER, help, value, labels);
  }

  private void gauge(
      String name, String help, ToDoubleFunction<WeirStatus> value, String... labels) {
    add(name, Kind.GAUGE, help, value, labels);
  }

  private void seconds(String name, String help, ToDoubleFunction<WeirStatus> value) {
    add(name, Kind.SECONDS, help, value);
  }

  /**
   * @param labels each name, followed by its value
   */
  private void add(
      String name, Kind kind, String help, ToDoubleFunction<WeirStatus> value, String... labels) {
    SortedMap<String, String> named = new TreeMap<>();
    for (int i = 0; i < labels.length; i += 2) {
      named.put(labels[i], labels[i + 1]);
    }
    metrics.add(new StatusMetric(name, named, kind, help, value));
  }

  private static double seconds(Instant at) {
    return seconds(Duration.between(Instant.EPOCH, at));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
