package dev.weir;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who waits for what he asks, until he is answered. The answer may also come from himself:
 * whoever cancels, or completes the future in any other way, has left, and what was granted and not
 * used is given back.
 *
 * <p>No future is completed under a lock: what others do then may take locks of their own.
 *
 * @param <T> what the answer is told as
 */
abstract sealed class Wait<T> permits WaitInStore, WaitInLine {

  /** Differences of readings of a clock stay in their range. */
  private static final long LONGEST_NANOS = Long.MAX_VALUE / 4;

  private final Waits waits;
  private final Ask ask;
  private final long endNanos;
  private final Function<Hold, T> form;
  private final CompletableFuture<T> answer = new CompletableFuture<>();

  /** Granted, and not yet to be used: it is his who takes it first, to be used or given back. */
  private @Nullable Hold kept;

  Wait(Waits waits, Ask ask, Duration maxWait, Function<Hold, T> form) {
    this.waits = waits;
    this.ask = ask;
    this.endNanos =
        waits.nanoTime() + Math.min(LONGEST_NANOS, TimeUnit.NANOSECONDS.convert(maxWait));
    this.form = form;
  }

  final CompletableFuture<T> begin() {
    waits.entered(this);
    CompletableFuture<T> unused = answer.whenComplete((told, failure) -> end());
    guarded(this::arrive);
    return answer;
  }

  /** Asks, on the thread of whoever wants the permits. */
  abstract void arrive();

  /**
   * Leaves whatever he waits in, as soon as nothing that he asks for is on its way. To leave twice
   * is to leave once.
   */
  abstract void leave();

  /** Lets whoever is behind him begin: he has been told, and nothing is on its way. */
  abstract void makeWay();

  /** What he has been granted and does not use. */
  void giveBack(Hold unused) {
    waits.undo(unused);
  }

  /** Does it, and answers with what fails in it: a bug, for an outage is decided. */
  final void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error failure) {
      answer.completeExceptionally(failure);
    }
  }

  final Waits waits() {
    return waits;
  }

  final Ask ask() {
    return ask;
  }

  final boolean isOver() {
    return answer.isDone();
  }

  final Duration left() {
    return Duration.ofNanos(Math.max(0, endNanos - waits.nanoTime()));
  }

  /**
   * Answers, unless he has left. Whoever is behind does not wait for what is done with the answer,
   * only for what is to be given back.
   */
  final void answer(Hold hold) {
    if (!isOver()) {
      makeWay();
    }
    if (!answer.complete(form.apply(hold))) {
      giveBack(hold);
    }
  }

  final synchronized void keep(Hold granted) {
    kept = granted;
  }

  final synchronized @Nullable Hold takeKept() {
    Hold taken = kept;
    kept = null;
    return taken;
  }

  /** Nobody decides any more: he is refused, and what he has been granted stays spent. */
  final void abandon() {
    takeKept();
    answer.complete(form.apply(Hold.of(Decision.closed(Waits.SOON))));
  }

  /**
   * Whoever cancels has given back when that returns. A timer that ends the wait, as that of {@link
   * CompletableFuture#orTimeout} does, is not held up for a store.
   */
  private void end() {
    waits.left(this);
    leave();
    Hold unspent = takeKept();
    if (unspent == null) {
      return;
    }
    if (answer.isCancelled()) {
      giveBack(unspent);
    } else {
      waits.lines().soon(() -> giveBack(unspent));
    }
  }
}
