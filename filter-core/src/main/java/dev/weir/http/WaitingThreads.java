package dev.weir.http;

import dev.weir.ConcurrencyPermits;
import dev.weir.Subject;
import dev.weir.internal.wait.WaiterLimit;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/**
 * The threads of requests that wait in a container that cannot let them wait without a thread.
 * Their number is small, so that a flood does not block the whole pool. A request that finds no
 * {@linkplain WaiterLimit place} is decided as if its longest wait were zero. Thread-safe.
 */
final class WaitingThreads {

  /**
   * How many requests may wait at once. All applications that share these classes share this
   * number, because they share a pool too.
   */
  static final int MOST = 16;

  static final WaitingThreads OF_THIS_NODE = new WaitingThreads();

  private final WaiterLimit places = new WaiterLimit(MOST);

  /**
   * Waits on this thread.
   *
   * @param begins runs when the thread begins to wait
   * @return empty when the thread was interrupted; no permits are held or charged then
   */
  Optional<ConcurrencyPermits> await(
      Patience patience,
      Function<Patience, CompletableFuture<ConcurrencyPermits>> request,
      Runnable begins) {
    Set<Subject> subjects = patience.subjects();
    boolean mayWait = places.take(subjects);
    try {
      CompletableFuture<ConcurrencyPermits> pending =
          request.apply(mayWait ? patience : patience.none());
      if (!pending.isDone()) {
        begins.run();
      }
      return await(pending);
    } finally {
      if (mayWait) {
        places.leave(subjects);
      }
    }
  }

  private static Optional<ConcurrencyPermits> await(CompletableFuture<ConcurrencyPermits> pending) {
    try {
      return Optional.of(pending.get());
    } catch (InterruptedException stopping) {
      pending.cancel(true);
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (CancellationException left) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
