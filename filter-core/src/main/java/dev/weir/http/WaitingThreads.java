package dev.weir.http;

import dev.weir.ConcurrencyPermits;
import dev.weir.Subject;
import dev.weir.WaiterLimit;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/**
 * The threads of requests that wait where their container cannot let them wait without one. They
 * are few, so that floods do not hold the whole pool. A request that finds no {@linkplain
 * WaiterLimit place} is decided as if it had no time. Thread-safe.
 */
final class WaitingThreads {

  /** As many wait at once, of all applications that share these classes: so do they a pool. */
  static final int MOST = 16;

  static final WaitingThreads OF_THIS_NODE = new WaitingThreads();

  private final WaiterLimit places = new WaiterLimit(MOST);

  /**
   * Waits on this thread.
   *
   * @param begins told when it begins to
   * @return empty when the thread was interrupted; nothing is held or charged then
   */
  Optional<ConcurrencyPermits> await(
      Patience patience,
      Function<Patience, CompletableFuture<ConcurrencyPermits>> request,
      Runnable begins) {
    Set<Subject> subjects = patience.subjects();
    boolean mayWait = places.take(subjects);
    try {
      CompletableFuture<ConcurrencyPermits> turn =
          request.apply(mayWait ? patience : patience.none());
      if (!turn.isDone()) {
        begins.run();
      }
      return await(turn);
    } finally {
      if (mayWait) {
        places.leave(subjects);
      }
    }
  }

  private static Optional<ConcurrencyPermits> await(CompletableFuture<ConcurrencyPermits> turn) {
    try {
      return Optional.of(turn.get());
    } catch (InterruptedException stopping) {
      turn.cancel(true);
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (CancellationException left) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }
}
