package dev.weir.micrometer;

import dev.weir.config.Weir;
import dev.weir.config.WeirStatus;
import dev.weir.http.RequestCounts;
import dev.weir.redis.RedisStatus;
import dev.weir.redis.RedisStatus.Breaker;
import dev.weir.redis.RedisStatus.Primary;
import dev.weir.store.Source;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one {@link Weir}, registered from {@link #bindTo} until {@link #close}. Names
 * follow Micrometer's naming conventions. Tags are constants and the names of rules in the
 * configuration. So no client can increase the number of meters.
 *
 * <pre>{@code
 * Weir weir = Weir.join(WeirSource.of("metrics")); // that of the application's filter
 * WeirMetrics metrics = new WeirMetrics(weir);
 * metrics.bindTo(registry);                        // close both when the application ends
 * }</pre>
 *
 * <p>Keep both until then: a registry holds them weakly. If two instances bind to one registry,
 * each needs a tag that distinguishes it from the other.
 *
 * <p>Counters by {@code rule}, {@code outcome} and {@code source}: {@code weir.decisions}, as
 * {@link RequestCounts.Decisions} defines them. What a shadow would deny has the outcome {@code
 * shadow_denied}. Timer: {@code weir.decision.duration}, the time that the store took, for shadows
 * too. Further counters: {@code weir.requests.shed}, {@code weir.local.overflowed}, {@code
 * weir.refunds.lost}, {@code weir.redis.probes}, {@code weir.store.switches} and {@code
 * weir.errors}.
 *
 * <p>Counters exist at zero from {@link #bindTo} on: for the rules of the file, and for decisions
 * by Redis and in process. Those of other sources, of annotations and of rules that a reload adds
 * appear with their first event.
 *
 * <p>Gauges: {@code weir.requests.waiting} and {@code weir.nodes.live}. With Redis, also {@code
 * weir.redis.primaries} by the state of their {@code breaker}, {@code weir.redis.calls.waiting},
 * {@code weir.redis.batches.max} and {@code weir.redis.roundtrip.min}. {@code weir.redis.calls}
 * divided by {@code weir.redis.batches} is the mean size of a batch. Decisions of the deny cache
 * and of leases have the source {@code deny_cache} or {@code lease}.
 *
 * <p>Thread-safe.
 */
public final class WeirMetrics implements MeterBinder, AutoCloseable {

  private final Weir weir;
  private final Tags tags;
  private final Collection<Binding> bindings = new ConcurrentLinkedQueue<>();

  private record Binding(MeterRegistry registry, DecisionMeters decisions, List<Meter> gauges) {}

  public WeirMetrics(Weir weir) {
    this(weir, List.of());
  }

  /**
   * @param tags added to every meter, such as the application's name
   */
  public WeirMetrics(Weir weir, Iterable<Tag> tags) {
    this.weir = Objects.requireNonNull(weir, "weir");
    this.tags = Tags.of(tags);
  }

  /**
   * Starts measuring and registers the meters.
   *
   * @throws dev.weir.config.ConfigurationException when the Weir waits for a configuration that is
   *     not open yet
   */
  @Override
  public void bindTo(MeterRegistry registry) {
    DecisionMeters decisions = new DecisionMeters(registry, tags);
    weir.addListener(decisions);
    boolean hasRedis = weir.status().redis().isPresent();
    decisions.registerAtZero(
        weir.rules(), hasRedis ? Set.of(Source.REDIS, Source.LOCAL) : Set.of(Source.LOCAL));
    bindings.add(new Binding(registry, decisions, new Gauges(registry).all()));
  }

  /** Stops measuring and removes the meters. The Weir stays open. */
  @Override
  public void close() {
    for (Binding binding : bindings) {
      weir.removeListener(binding.decisions());
      binding.decisions().remove();
      for (Meter gauge : binding.gauges()) {
        binding.registry().remove(gauge);
      }
    }
    bindings.clear();
  }

  /** Gauges that read the status of the Weir each time they are read. */
  private final class Gauges {

    private final MeterRegistry registry;

    private Gauges(MeterRegistry registry) {
      this.registry = registry;
    }

    List<Meter> all() {
      boolean hasRedis = weir.status().redis().isPresent();
      return hasRedis ? withRedis() : ofNode();
    }

    private List<Meter> ofNode() {
      return List.of(
          gauge(
              "weir.requests.waiting",
              "requests that wait for what a rule delays",
              WeirStatus::waiting),
          gauge("weir.nodes.live", "nodes that share the limits", WeirStatus::liveNodes),
          counter(
              "weir.local.overflowed",
              "uses of a counter that several subjects share for want of room",
              WeirStatus::overflowed));
    }

    private List<Meter> withRedis() {
      List<Meter> meters = new ArrayList<>(ofNode());
      for (Breaker state : Breaker.values()) {
        meters.add(
            Gauge.builder(
                    "weir.redis.primaries", weir, it -> read(it, redis -> count(redis, state)))
                .description("primaries, by the state of their breaker")
                .tags(tags.and("breaker", state.name().toLowerCase(Locale.ROOT)))
                .register(registry));
      }
      meters.add(sum("weir.redis.calls.waiting", "calls that wait to be sent", Primary::waiting));
      meters.add(sum("weir.redis.batches.max", "batches that may be in flight", Primary::window));
      meters.add(
          TimeGauge.builder(
                  "weir.redis.roundtrip.min",
                  weir,
                  TimeUnit.NANOSECONDS,
                  it -> read(it, Gauges::longestRoundTrip))
              .description("the shortest round trip of late, to the farthest primary")
              .tags(tags)
              .register(registry));
      meters.add(
          counter("weir.redis.batches", "batches that were sent", it -> redis(it).batches()));
      meters.add(counter("weir.redis.calls", "calls that were sent", it -> redis(it).calls()));
      return List.copyOf(meters);
    }

    private Gauge gauge(String name, String description, ToDoubleFunction<WeirStatus> value) {
      return Gauge.builder(name, weir, it -> readStatus(it, value))
          .description(description)
          .tags(tags)
          .register(registry);
    }

    private Gauge sum(String name, String description, ToDoubleFunction<Primary> value) {
      return gauge(
          name, description, status -> redis(status).primaries().stream().mapToDouble(value).sum());
    }

    private FunctionCounter counter(
        String name, String description, ToDoubleFunction<WeirStatus> value) {
      return FunctionCounter.builder(name, weir, it -> readStatus(it, value))
          .description(description)
          .tags(tags)
          .register(registry);
    }

    private static double read(Weir weir, ToDoubleFunction<RedisStatus> value) {
      return readStatus(weir, status -> value.applyAsDouble(redis(status)));
    }

    /**
     * Returns NaN when the Weir was closed first, so that the registry can still read other meters.
     */
    private static double readStatus(Weir weir, ToDoubleFunction<WeirStatus> value) {
      try {
        return value.applyAsDouble(weir.status());
      } catch (IllegalStateException closed) {
        return Double.NaN;
      }
    }

    private static RedisStatus redis(WeirStatus status) {
      return status.redis().orElseThrow();
    }

    private static double count(RedisStatus redis, Breaker state) {
      return redis.primaries().stream().filter(it -> it.breaker() == state).count();
    }

    private static double longestRoundTrip(RedisStatus redis) {
      return redis.primaries().stream()
          .flatMap(primary -> primary.roundTrip().stream())
          .mapToLong(Duration::toNanos)
          .max()
          .orElse(0);
    }
  }
}
