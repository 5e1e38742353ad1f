package dev.weir;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who waits for permits.
 *
 * <p>Where the store keeps places in line, as for a token bucket, he is asked for once: what is
 * granted takes his place, and may be used after its delay. Otherwise he asks when it is his turn
 * in this node's line, and again whenever he is told to; permits are taken when he can run, so that
 * no limit is charged early. In either case he is refused at once when the wait is known to be too
 * long; and when his time is over before his turn has come, he asks once more and leaves.
 */
final class Wait {

  private final Acquirer acquirer;
  private final Subject subject;
  private final long permits;
  private final long endNanos;
  private final CompletableFuture<Decision> answer = new CompletableFuture<>();

  /** One object, by which the line knows who leaves. */
  private final Runnable turn = this::ask;

  /** Granted, and not yet to be used: given back by whoever cancels. */
  private Decision.@Nullable Counted kept;

  private Wait(Acquirer acquirer, Subject subject, long permits, Duration maxWait) {
    this.acquirer = acquirer;
    this.subject = subject;
    this.permits = permits;
    this.endNanos = acquirer.lines().nanoTime() + TimeUnit.NANOSECONDS.convert(maxWait);
  }

  static CompletableFuture<Decision> begin(
      Acquirer acquirer, Subject subject, long permits, Duration maxWait) {
    Wait wait = new Wait(acquirer, subject, permits, maxWait);
    CompletableFuture<Decision> unused =
        wait.answer.whenComplete((decision, failure) -> wait.ended());
    if (keepsPlaces(acquirer.limit())) {
      wait.ask();
    } else {
      wait.lineUp();
    }
    return wait.answer;
  }

  private static boolean keepsPlaces(Limit limit) {
    return limit instanceof TokenBucket || limit instanceof LeakyBucket;
  }

  /** Who is not the first looks whether it is worth waiting: he cannot run sooner than alone. */
  private void lineUp() {
    if (acquirer.lines().isAnybodyWaiting(subject) && wouldBeTooLate()) {
      return;
    }
    if (acquirer.lines().join(subject, turn)) {
      ask();
    }
    if (!answer.isDone()) {
      acquirer.lines().timer().after(Math.max(0, leftNanos()), turn);
    }
  }

  private boolean wouldBeTooLate() {
    Decision look = acquirer.ask(subject, permits, Terms.PEEK, acquirer.deadline());
    long leftNanos = leftNanos();
    if (look.allowed()
        || look.retryAfter().filter(wait -> wait.toNanos() <= leftNanos).isPresent()) {
      return false;
    }
    return answer.complete(look);
  }

  /** Does nothing once there is an answer. */
  private synchronized void ask() {
    if (answer.isDone() || kept != null) {
      return;
    }
    Duration left = Duration.ofNanos(Math.max(0, leftNanos()));
    try {
      Decision decision =
          acquirer.ask(subject, permits, new Terms.Within(left), acquirer.deadline());
      if (decision.allowed()) {
        granted(decision);
      } else {
        denied(decision, left);
      }
    } catch (RuntimeException | Error failure) {
      answer.completeExceptionally(failure);
    }
  }

  private void granted(Decision decision) {
    kept = decision instanceof Decision.Counted counted ? counted : null;
    if (decision.delay().isZero()) {
      use(decision);
    } else {
      acquirer.lines().timer().after(decision.delay().toNanos(), () -> use(decision));
    }
  }

  private synchronized void use(Decision decision) {
    Decision.@Nullable Counted given = kept;
    kept = null;
    if (!answer.complete(decision)) {
      giveBack(given);
    }
  }

  private void denied(Decision decision, Duration left) {
    Optional<Duration> retry = decision.retryAfter();
    if (keepsPlaces(acquirer.limit()) || retry.isEmpty() || retry.get().compareTo(left) > 0) {
      answer.complete(decision);
    } else {
      acquirer.lines().timer().after(retry.get().toNanos(), turn);
    }
  }

  /** Whoever cancels before he runs has spent nothing. */
  private synchronized void ended() {
    acquirer.lines().leave(subject, turn);
    if (answer.isCancelled()) {
      giveBack(kept);
      kept = null;
    }
  }

  private void giveBack(Decision.@Nullable Counted granted) {
    if (granted == null) {
      return;
    }
    try {
      acquirer.amend(new Amendment.GiveBack(granted.receipt()));
    } catch (StoreUnavailableException lost) {
      // it only under-admits, and must not be made twice
    }
  }

  private long leftNanos() {
    return endNanos - acquirer.lines().nanoTime();
  }
}
