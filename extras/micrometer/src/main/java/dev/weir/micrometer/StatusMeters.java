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

  /** A meter that is read alone, long after others, begins a scrape of its own. */
  private static final long LONGEST_SCRAPE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * The status of one scrape, which reads each meter once: a meter that reads again begins another.
   * So the values of a scrape fit together, and a scrape of thousands of meters makes one status.
   */
  private record Snapshot(WeirStatus status, long nanos, Set<Key> readers) {
    static Snapshot of(Weir weir) {
      return new Snapshot(weir.status(), System.nanoTime(), ConcurrentHashMap.newKeySet());
    }

    /** Returns whether this is of the scrape in which a meter is read now. */
    boolean isFor(Key meter) {
      return System.nanoTime() - nanos < LONGEST_SCRAPE_NANOS && readers.add(meter);
    }
  }

  private final Weir weir;
  private final MeterRegistry registry;
  private final Tags tags;
  private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();
  private final Set<Key> known = ConcurrentHashMap.newKeySet();
  private volatile @Nullable Kinds registered;
  private volatile @Nullable Snapshot snapshot;
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
      Key key = new Key(metric.name(), metric.labels());
      if (known.add(key)) {
        meters.add(meter(metric, key));
      }
    }
    registered = now;
  }

  private Meter meter(StatusMetric metric, Key key) {
    String name = metric.name();
    return switch (metric.kind()) {
      case COUNTER ->
          FunctionCounter.builder(name, weir, it -> read(it, metric, key))
              .description(metric.help())
              .tags(tags(metric))
              .register(registry);
      case GAUGE ->
          Gauge.builder(name, weir, it -> read(it, metric, key))
              .description(metric.help())
              .tags(tags(metric))
              .register(registry);
      case SECONDS ->
          TimeGauge.builder(name, weir, TimeUnit.SECONDS, it -> read(it, metric, key))
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
  private double read(Weir it, StatusMetric metric, Key key) {
    try {
      WeirStatus status = status(it, key);
      if (!isRemoved) {
        registerNew(status);
      }
      return metric.value().applyAsDouble(status);
    } catch (IllegalStateException closed) {
      return Double.NaN;
    }
  }

  private WeirStatus status(Weir it, Key key) {
    Snapshot current = snapshot;
    if (current == null || !current.isFor(key)) {
      current = Snapshot.of(it);
      current.readers().add(key);
      snapshot = current;
    }
    return current.status();
  }

  /** Removes the meters from the registry. */
  void remove() {
    isRemoved = true;
    meters.forEach(registry::remove);
    meters.clear();
  }
}
