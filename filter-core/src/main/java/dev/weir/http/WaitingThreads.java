package dev.weir.http;

import dev.weir.Hold;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

/**
 * The threads of requests that wait where their container cannot let them wait without one. They
 * are few, or a flood of one subject would hold the whole pool: who comes when all of them are
 * taken is decided as if he had no time. Thread-safe.
 */
final class WaitingThreads {

  /** As many wait at once, of all applications that share these classes: so do they a pool. */
  static final int MOST = 16;

  static final WaitingThreads OF_THIS_NODE = new WaitingThreads();

  private final Semaphore free = new Semaphore(MOST);

  /**
   * Waits on this thread.
   *
   * @param begins told when it begins to
   * @return empty when the thread was interrupted; nothing is held or charged then
   */
  Optional<Hold> await(
      Patience patience, Function<Patience, CompletableFuture<Hold>> ask, Runnable begins) {
    boolean mayWait = free.tryAcquire();
    try {
      CompletableFuture<Hold> turn = ask.apply(mayWait ? patience : patience.none());
      if (!turn.isDone()) {
        begins.run();
      }
      return await(turn);
    } finally {
      if (mayWait) {
        free.release();
      }
    }
  }

  private static Optional<Hold> await(CompletableFuture<Hold> turn) {
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
