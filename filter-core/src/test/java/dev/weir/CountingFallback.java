package dev.weir;

import dev.weir.store.AcquireRequest;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore.Fallback;
import dev.weir.store.StoreUnavailableException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A real fallback that counts how often it was resumed and suspended. */
final class CountingFallback implements Fallback {

  final AtomicInteger takenOver = new AtomicInteger();
  final AtomicInteger stoodBy = new AtomicInteger();
  final AtomicBoolean closed = new AtomicBoolean();

  private final Fallback fallback;

  CountingFallback(Fallback fallback) {
    this.fallback = fallback;
  }

  @Override
  public void resume() {
    takenOver.incrementAndGet();
    fallback.resume();
  }

  @Override
  public void suspend() {
    stoodBy.incrementAndGet();
    fallback.suspend();
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    return fallback.decide(request);
  }

  @Override
  public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline)
      throws StoreUnavailableException {
    return fallback.adjust(adjustment, deadline);
  }

  @Override
  public void close() {
    closed.set(true);
    fallback.close();
  }
}
