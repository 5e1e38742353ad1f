package dev.weir.micrometer;

import dev.weir.config.Weir;
import dev.weir.config.WeirStatus;
import dev.weir.http.RequestCounts.Denials;
import dev.weir.http.RequestCounts.Outcome;
import dev.weir.http.RequestCounts.Reason;
import dev.weir.redis.RedisStatus;
import dev.weir.redis.RedisStatus.Breaker;
import dev.weir.store.Source;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The meters that read the status of a Weir each time they are read. A request costs them nothing.
 * Thread-safe.
 */
final class StatusMeters {

  /** The limit of denials that no limit has made. */
  private static final String NOTHING_COUNTED = "-";

  private record Denial(String rule, String limit, Reason reason, boolean isShadow) {}

  private final Weir weir;
  private final MeterRegistry registry;
  private final Tags tags;
  private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();
  private final Set<Denial> denials = ConcurrentHashMap.newKeySet();
  private final Set<String> rules = ConcurrentHashMap.newKeySet();
  private final Set<String> limits = ConcurrentHashMap.newKeySet();
  private volatile boolean isRemoved;

  StatusMeters(Weir weir, MeterRegistry registry, Tags tags) {
    this.weir = weir;
    this.registry = registry;
    this.tags = tags;
  }

  void register() {
    WeirStatus now = weir.status();
    registerInfo(now);
    registerRequests();
    registerConfiguration();
    registerCounters();
    registerNodes();
    weir.rules().forEach(rule -> Denials.noneYet(rule).forEach(this::registerDenials));
    if (now.redis().isPresent()) {
      registerRedis();
    }
    registerNew(now);
  }

  /** Registers the only meter with a tag that the user may have for all, and then wins. */
  private void registerInfo(WeirStatus now) {
    Tags own =
        Tags.of(
            "version", now.version(),
            "application", now.application().orElse("none"),
            "config", now.loaded().source());
    meters.add(
        Gauge.builder("weir.info", weir, running -> 1)
            .description("the version, the application's name in Redis, and the configuration")
            .tags(own.and(tags))
            .register(registry));
  }

  private void registerRequests() {
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
        status -> status.overload().map(each -> each.inFlight()).orElse(0));
    gauge(
        "weir.requests.max",
        "requests that may be in the application; 0 without overload control",
        status -> status.overload().map(each -> each.number()).orElse(0));
    counter(
        "weir.requests.shed",
        "requests turned away since there were too many",
        status -> status.overload().map(each -> each.shed()).orElse(0L));
    counter(
        "weir.shadow.shed",
        "requests that would have been turned away since there were too many",
        status -> status.overload().map(each -> each.shadowShed()).orElse(0L));
    counter(
        "weir.permits.lost",
        "requests that lost the permits of a concurrent limit before they ended",
        status -> status.events().permitsLost());
    counter("weir.errors", "failures that are no outage", status -> status.events().errors());
  }

  private void registerConfiguration() {
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
    String reloads = "reloads of the configuration";
    counter(
        "weir.config.reloads",
        reloads,
        status -> status.loaded().reloads(),
        "outcome",
        "succeeded");
    counter(
        "weir.config.reloads",
        reloads,
        status -> status.loaded().failedReloads(),
        "outcome",
        "failed");
  }

  private void registerCounters() {
    gauge("weir.counters.local", "counters in process", status -> status.counters().held());
    gauge(
        "weir.counters.max",
        "counters that may be in process: max-counters",
        status -> status.counters().max());
    gauge("weir.leases", "counters of which this node holds leased permits", WeirStatus::leases);
  }

  private void registerNodes() {
    gauge("weir.nodes.live", "nodes that share the limits", WeirStatus::liveNodes);
    gauge(
        "weir.nodes.reckoned",
        "nodes by which this one divides the limits when it decides in process",
        WeirStatus::reckonedNodes);
  }

  private void registerRedis() {
    redis("weir.nodes.lost", "nodes lost within ten minutes", RedisStatus::lostNodes);
    seconds(
        "weir.clock.skew",
        "how far the clock of Redis is ahead of this node's, to half a round trip",
        status -> redis(status).clockSkew().map(StatusMeters::seconds).orElse(Double.NaN));
    for (Breaker state : Breaker.values()) {
      redis(
          "weir.redis.primaries",
          "primaries, by the state of their breaker",
          redis -> redis.primaries(state),
          "breaker",
          lower(state));
    }
    redis(
        "weir.redis.primaries.out",
        "primaries that do not decide; 1 while none is known",
        RedisStatus::primariesOut);
    redis("weir.redis.calls.waiting", "calls that wait to be sent", RedisStatus::waiting);
    redis("weir.redis.batches.max", "batches that may be in flight", RedisStatus::window);
    seconds(
        "weir.redis.roundtrip.min",
        "the shortest round trip since the last outage, to the farthest primary",
        status -> seconds(redis(status).roundTrip()));
    counter("weir.redis.batches", "batches that were sent", status -> redis(status).batches());
    counter("weir.redis.calls", "calls that were sent", status -> redis(status).calls());
    String probes = "probes of a primary that is out";
    counter(
        "weir.redis.probes",
        probes,
        status -> status.events().probesSucceeded(),
        "outcome",
        "succeeded");
    counter(
        "weir.redis.probes", probes, status -> status.events().probesFailed(), "outcome", "failed");
    for (Source store : Set.of(Source.REDIS, Source.LOCAL)) {
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

  /** Registers the counter of a kind of denial, unless it is known. */
  private void registerDenials(Denials kind) {
    if (!denials.add(new Denial(kind.rule(), kind.limit(), kind.reason(), kind.isShadow()))) {
      return;
    }
    counter(
        kind.isShadow() ? "weir.shadow.denials" : "weir.denials",
        kind.isShadow()
            ? "what shadows would deny, by the limit and the reason"
            : "denials, by the limit that denied and the reason",
        status -> count(status, kind),
        "rule",
        kind.rule(),
        "limit",
        kind.limit().equals(NOTHING_COUNTED) ? "none" : kind.limit(),
        "reason",
        lower(kind.reason()));
  }

  private static long count(WeirStatus status, Denials kind) {
    return status.counts().denials().stream()
        .filter(each -> each.isShadow() == kind.isShadow() && each.reason() == kind.reason())
        .filter(each -> each.rule().equals(kind.rule()) && each.limit().equals(kind.limit()))
        .mapToLong(Denials::count)
        .sum();
  }

  /**
   * Registers the counters of rules and limits that a reload or an annotation has added, and those
   * of rare denials.
   */
  private void registerNew(WeirStatus status) {
    status.counts().denials().forEach(this::registerDenials);
    for (String rule : status.events().refundsLost().keySet()) {
      if (rules.add(rule)) {
        counter(
            "weir.refunds.lost",
            "how often permits were not given back",
            now -> now.events().refundsLost().getOrDefault(rule, 0L),
            "rule",
            rule);
      }
    }
    for (String limit : status.counters().overflowed().keySet()) {
      if (limits.add(limit)) {
        counter(
            "weir.counters.overflowed",
            "uses of a counter in process that several subjects share for want of room",
            now -> now.counters().overflowed().getOrDefault(limit, 0L),
            "limit",
            limit);
      }
    }
  }

  private void redis(
      String name, String description, ToDoubleFunction<RedisStatus> value, String... labels) {
    gauge(name, description, status -> value.applyAsDouble(redis(status)), labels);
  }

  private static RedisStatus redis(WeirStatus status) {
    return status.redis().orElseThrow();
  }

  private void gauge(
      String name, String description, ToDoubleFunction<WeirStatus> value, String... labels) {
    meters.add(
        Gauge.builder(name, weir, it -> read(it, value))
            .description(description)
            .tags(tags.and(labels))
            .register(registry));
  }

  private void seconds(String name, String description, ToDoubleFunction<WeirStatus> value) {
    meters.add(
        TimeGauge.builder(name, weir, TimeUnit.SECONDS, it -> read(it, value))
            .description(description)
            .tags(tags)
            .register(registry));
  }

  private void counter(
      String name, String description, ToDoubleFunction<WeirStatus> value, String... labels) {
    meters.add(
        FunctionCounter.builder(name, weir, it -> read(it, value))
            .description(description)
            .tags(tags.and(labels))
            .register(registry));
  }

  /**
   * Reads the status. Returns NaN when the Weir was closed first, so that the registry can still
   * read other meters.
   */
  private double read(Weir it, ToDoubleFunction<WeirStatus> value) {
    try {
      WeirStatus status = it.status();
      if (!isRemoved) {
        registerNew(status);
      }
      return value.applyAsDouble(status);
    } catch (IllegalStateException closed) {
      return Double.NaN;
    }
  }

  /** Removes the meters from the registry. */
  void remove() {
    isRemoved = true;
    meters.forEach(registry::remove);
    meters.clear();
  }

  private static double seconds(Instant at) {
    return seconds(Duration.between(Instant.EPOCH, at));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
