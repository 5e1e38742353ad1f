package dev.weir.micrometer;

import dev.weir.config.StatusMetric;
import dev.weir.config.Weir;
import dev.weir.config.WeirStatus;
import dev.weir.http.Rule;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The meters that read the status of a Weir each time they are read. A request costs them nothing.
 * Thread-safe.
 */
final class StatusMeters {

  private record Key(String name, Map<String, String> labels) {}

  /**
   * What changes when a status has new metrics: the rules, or the number of kinds of events that
   * have happened. A registry reads thousands of meters in one scrape, so each compares this only.
   */
  private record Kinds(List<Rule> rules, int decisions, int denials, int refunds, int limits) {
    static Kinds of(Weir weir, WeirStatus status) {
      return new Kinds(
          weir.rules(),
          status.decisions().size(),
          status.counts().denials().size(),
          status.events().refundsLost().size(),
          status.counters().overflowed().size());
    }
  }

  private final Weir weir;
  private final MeterRegistry registry;
  private final Tags tags;
  private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();
  private final Set<Key> known = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Kinds registered;
  private volatile boolean isRemoved;

  StatusMeters(Weir weir, MeterRegistry registry, Tags tags) {
    this.weir = weir;
    this.registry = registry;
    this.tags = tags;
  }

  void register() {
    registerNew(weir.status());
  }

  /** Registers the meters that are not registered yet. */
  private void registerNew(WeirStatus status) {
    Kinds now = Kinds.of(weir, status);
    if (now.equals(registered)) {
      return;
    }
    for (StatusMetric metric : weir.metrics()) {
      if (known.add(new Key(metric.name(), metric.labels()))) {
        meters.add(meter(metric));
      }
    }
    registered = now;
  }

  private Meter meter(StatusMetric metric) {
    String name = metric.name();
    return switch (metric.kind()) {
      case COUNTER ->
          FunctionCounter.builder(name, weir, it -> read(it, metric))
              .description(metric.help())
              .tags(tags(metric))
              .register(registry);
      case GAUGE ->
          Gauge.builder(name, weir, it -> read(it, metric))
              .description(metric.help())
              .tags(tags(metric))
              .register(registry);
      case SECONDS ->
          TimeGauge.builder(name, weir, TimeUnit.SECONDS, it -> read(it, metric))
              .description(metric.help())
              .tags(tags(metric))
              .register(registry);
    };
  }

  /** Returns the tags of a meter. Only of {@code weir.info} the user may have one too, and wins. */
  private Tags tags(StatusMetric metric) {
    List<Tag> own =
        metric.labels().entrySet().stream()
            .map(label -> Tag.of(label.getKey(), label.getValue()))
            .toList();
    return metric.name().equals("weir.info") ? Tags.of(own).and(tags) : tags.and(own);
  }

  /**
   * Reads the status. Returns NaN when the Weir was closed first, so that the registry can still
   * read other meters.
   */
  private double read(Weir it, StatusMetric metric) {
    try {
      WeirStatus status = it.status();
      if (!isRemoved) {
        registerNew(status);
      }
      return metric.value().applyAsDouble(status);
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
}
