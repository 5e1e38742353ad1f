package dev.weir.config;

import dev.weir.config.WeirStatus.Events;
import dev.weir.http.Rule;
import dev.weir.store.Source;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happens seldom: changes of the store, probes, losses and errors. An ordinary request
 * counts nothing here. Thread-safe.
 */
final class EventCounts {

  private final LongAdder switchesToRedis = new LongAdder();
  private final LongAdder switchesToLocal = new LongAdder();
  private final LongAdder probesSucceeded = new LongAdder();
  private final LongAdder probesFailed = new LongAdder();
  private final LongAdder permitsLost = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final ConcurrentMap<String, LongAdder> refundsLost = new ConcurrentHashMap<>();
  private volatile @Nullable Instant lastSwitch;

  void switched(Source now) {
    lastSwitch = Instant.now();
    (now == Source.REDIS ? switchesToRedis : switchesToLocal).increment();
  }

  void probed(boolean succeeded) {
    (succeeded ? probesSucceeded : probesFailed).increment();
  }

  void permitsLost() {
    permitsLost.increment();
  }

  void refundLost(List<Rule> rules) {
    for (Rule rule : rules) {
      refundsLost.computeIfAbsent(rule.name(), name -> new LongAdder()).increment();
    }
  }

  void failed() {
    errors.increment();
  }

  /** Returns the counts, with a zero for each of these rules that has lost no refund. */
  Events events(Set<Rule> rules) {
    Map<String, Long> lost = new TreeMap<>();
    rules.forEach(rule -> lost.put(rule.name(), 0L));
    refundsLost.forEach((rule, count) -> lost.put(rule, count.sum()));
    return new Events(
        Map.of(Source.REDIS, switchesToRedis.sum(), Source.LOCAL, switchesToLocal.sum()),
        Optional.ofNullable(lastSwitch),
        probesSucceeded.sum(),
        probesFailed.sum(),
        permitsLost.sum(),
        lost,
        errors.sum());
  }
}
