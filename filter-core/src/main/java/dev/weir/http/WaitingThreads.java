package dev.weir.http;

import dev.weir.Hold;
import dev.weir.Subject;
import dev.weir.WaitingPlaces;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/**
 * The threads of requests that wait where their container cannot let them wait without one. They
 * are few, so that floods do not hold the whole pool. A request that finds no {@linkplain
 * WaitingPlaces place} is decided as if it had no time. Thread-safe.
 */
final class WaitingThreads {

  /** As many wait at once, of all applications that share these classes: so do they a pool. */
  static final int MOST = 16;

  static final WaitingThreads OF_THIS_NODE = new WaitingThreads();

  private final WaitingPlaces places = new WaitingPlaces(MOST);

  /**
   * Waits on this thread.
   *
   * @param begins told when it begins to
   * @return empty when the thread was interrupted; nothing is held or charged then
   */
  Optional<Hold> await(
      Patience patience, Function<Patience, CompletableFuture<Hold>> ask, Runnable begins) {
    Set<Subject> subjects = patience.subjects();
    boolean mayWait = places.take(subjects);
    try {
      CompletableFuture<Hold> turn = ask.apply(mayWait ? patience : patience.none());
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
