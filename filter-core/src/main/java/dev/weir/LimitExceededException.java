package dev.weir;

import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.io.Serial;
import java.time.Duration;
import java.util.Optional;

/**
 * Thrown where permits were to be acquired and are denied. The message names the limit, the kind of
 * the subject and the retry-after. It never has the value of the subject, so it is fit for a log:
 *
 * <pre>
 * denied by limit calls (20 per second, burst 40) of subject, source REDIS, retry after PT0.05S
 * </pre>
 *
 * <pre>{@code
 * try {
 *   limiter.acquireOrThrow("user-42");
 * } catch (LimitExceededException denied) {
 *   System.out.println(denied.getMessage());
 *   denied.retryAfter().ifPresent(wait -> System.out.println("again in " + wait));
 * }
 * }</pre>
 *
 * <p>Only {@code acquire} and {@code acquireOrThrow} of the limiters throw it. A program cannot
 * create it. {@link Limiter#reserve} does not throw it: a denied reservation has its denial in
 * {@link Reservation#decision}, and an exception for that is the program's own.
 */
public final class LimitExceededException extends RuntimeException {

  @Serial private static final long serialVersionUID = 1L;

  private final transient Decision decision;

  LimitExceededException(LimiterCore core, Subject subject, Decision decision) {
    super(message(core, subject, decision));
    this.decision = decision;
  }

  private static String message(LimiterCore core, Subject subject, Decision decision) {
    String by;
    if (decision instanceof Decision.Counted counted) {
      Counter counter = counted.binding().counter();
      by = "limit %s (%s) of %s".formatted(counter.name(), counter.limit(), counter.subject());
    } else {
      by = "the outage policy of limit %s of %s".formatted(core.names(), subject);
    }
    String retry =
        decision
            .retryAfter()
            .map(wait -> "retry after " + wait)
            .orElse("never satisfiable, however long it waits");
    return "denied by %s, source %s, %s".formatted(by, decision.source(), retry);
  }

  /**
   * Returns the denial. A decision is not serialized, so this returns null after the exception was.
   */
  public Decision decision() {
    return decision;
  }

  /**
   * Returns how long to wait before the same request can succeed. Empty when waiting does not help,
   * or the exception was serialized.
   */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(decision).flatMap(Decision::retryAfter);
  }
}
