package dev.weir.demo;

import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.store.Decision;
import dev.weir.store.Source;
import jakarta.json.Json;
import jakarta.json.JsonObjectBuilder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A listener that counts requests. {@link dev.weir.config.WeirStatus} counts decisions of rules, so
 * a request that two rules allow is two there.
 */
final class RequestCounts implements RuleListener {

  private final LongAdder allowed = new LongAdder();
  private final LongAdder allowedInProcess = new LongAdder();
  private final LongAdder denied = new LongAdder();

  private @Nullable Source store;
  private long switchedNanos = System.nanoTime();

  @Override
  public boolean receivesDecisions() {
    return false;
  }

  /** Ignores shadows and rules that degrade: a request of theirs passes, or is counted already. */
  @Override
  public void onRequestDecided(List<Rule> rules, RuleOutcome outcome, Optional<Decision> decision) {
    if (!rules.get(0).rejects()) {
      return;
    }
    if (outcome != RuleOutcome.ALLOWED) {
      denied.increment();
      return;
    }
    allowed.increment();
    if (decision.filter(made -> made.source() == Source.LOCAL).isPresent()) {
      allowedInProcess.increment();
    }
  }

  @Override
  public synchronized void onStoreSwitched(Source now, String why) {
    store = now;
    switchedNanos = System.nanoTime();
  }

  JsonObjectBuilder json() {
    return Json.createObjectBuilder()
        .add("allowed", allowed.sum())
        .add("allowedInProcess", allowedInProcess.sum())
        .add("denied", denied.sum());
  }

  /** Returns for how long this store has decided. A switch may be reported a moment after it. */
  synchronized long millisOf(Source now) {
    if (store != null && store != now) {
      switchedNanos = System.nanoTime();
    }
    store = now;
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - switchedNanos);
  }
}
