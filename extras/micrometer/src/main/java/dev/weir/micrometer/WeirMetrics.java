package dev.weir.micrometer;

import dev.weir.config.Weir;
import dev.weir.store.Source;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

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
 * <p>Close both: until then the registry refers to the Weir. If two instances bind to one registry,
 * each needs a tag that distinguishes it from the other.
 *
 * <p>{@code docs/metrics.md} lists all meters, with their tags and meanings. All but two timers are
 * {@link Weir#metrics}: they read the status when they are read, and cost requests nothing. Meters
 * that are read within 100 ms, as in a scrape, share one status. Counters exist at zero from {@link
 * #bindTo} on: for the rules and limits of the file, and for decisions by Redis and in process.
 * Those of other sources, of annotations, and of what a reload adds appear when the registry is
 * next read.
 *
 * <p>The timer {@code weir.decision.duration} publishes buckets up to 1, 5 and 25 ms, the deadline,
 * and 17/16 of the deadline, within which every decision returns. So a percentile can be computed
 * over all nodes. These are up to 6 series for each outcome and source. A filter leaves them out:
 *
 * <pre>{@code
 * registry.config().meterFilter(new MeterFilter() {
 *   @Override
 *   public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
 *     return id.getName().equals("weir.decision.duration")
 *         ? DistributionStatisticConfig.builder().serviceLevelObjectives().build().merge(config)
 *         : config;
 *   }
 * });
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class WeirMetrics implements MeterBinder, AutoCloseable {

  private final Weir weir;
  private final Tags tags;
  private final Collection<Binding> bindings = new ConcurrentLinkedQueue<>();

  private record Binding(DecisionTimers timers, StatusMeters status) {}

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
    DecisionTimers timers = new DecisionTimers(registry, tags, weir.deadline());
    weir.addListener(timers);
    boolean hasRedis = weir.status().redis().isPresent();
    timers.registerAtZero(
        weir.rules(), hasRedis ? Set.of(Source.REDIS, Source.LOCAL) : Set.of(Source.LOCAL));
    StatusMeters status = new StatusMeters(weir, registry, tags);
    status.register();
    bindings.add(new Binding(timers, status));
  }

  /** Stops measuring and removes the meters. The Weir stays open. */
  @Override
  public void close() {
    for (Binding binding : bindings) {
      weir.removeListener(binding.timers());
      binding.timers().remove();
      binding.status().remove();
    }
    bindings.clear();
  }
}
