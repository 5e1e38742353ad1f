package dev.weir.testing;

import dev.weir.Limiter;
import dev.weir.internal.Expect;
import dev.weir.store.Decision;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about a limiter, step by step: what it grants, what it denies, and what changes after
 * some time. Each step acquires permits, so the order of the steps matters. A step that fails
 * throws an {@link AssertionError} with the decision that was not as expected.
 *
 * <pre>{@code
 * assertThat(mails, store.clock())
 *     .forSubject("ann")
 *     .grants(5)
 *     .denies()
 *     .forSubject("bob")
 *     .grants(1)
 *     .withRemaining(4)
 *     .forSubject("ann")
 *     .denies()
 *     .afterItsRetry()
 *     .grants(1);
 * }</pre>
 *
 * <p>A {@link dev.weir.ConcurrencyLimiter} is no {@link Limiter}: a test holds and closes its
 * permits itself, and advances the clock. Not thread-safe.
 */
public final class LimiterAssert {

  private final Limiter<?> limiter;
  private final ManualClock clock;
  private Subject subject = Subject.global();
  private long permits = 1;
  private @Nullable Decision last;

  private LimiterAssert(Limiter<?> limiter, ManualClock clock) {
    this.limiter = Objects.requireNonNull(limiter, "limiter");
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  /**
   * Begins with requests of one permit each, for {@link Subject#global}.
   *
   * @param clock of the limiter's store
   */
  public static LimiterAssert assertThat(Limiter<?> limiter, ManualClock clock) {
    return new LimiterAssert(limiter, clock);
  }

  /** Sets the subject of the requests that follow, as {@link Subject#of(String)} names it. */
  public LimiterAssert forSubject(String value) {
    return forSubject(Subject.of(value));
  }

  /** Sets the subject of the requests that follow. */
  public LimiterAssert forSubject(Subject newSubject) {
    subject = Objects.requireNonNull(newSubject, "newSubject");
    return this;
  }

  /**
   * Sets how many permits each of the requests that follow takes.
   *
   * @throws IllegalArgumentException when it is not positive
   */
  public LimiterAssert costing(long permitsEach) {
    Expect.positive("permitsEach", permitsEach);
    permits = permitsEach;
    return this;
  }

  /**
   * Makes so many requests, one after the other, and asserts that all of them are allowed.
   *
   * @throws IllegalArgumentException when requests is not positive
   */
  public LimiterAssert grants(int requests) {
    Expect.positive("requests", requests);
    for (int granted = 0; granted < requests; granted++) {
      Decision decision = limiter.tryAcquire(subject, permits);
      last = decision;
      if (!decision.allowed()) {
        throw failure("%s granted".formatted(of(requests)), granted + " granted, the next denied");
      }
    }
    return this;
  }

  /** Makes one request, and asserts that it is denied. */
  public LimiterAssert denies() {
    Decision decision = limiter.tryAcquire(subject, permits);
    last = decision;
    if (decision.allowed()) {
      throw failure("%s denied".formatted(of(1)), "granted");
    }
    return this;
  }

  /** Asserts the retry-after of the last request, which was denied: exactly this. */
  public LimiterAssert withRetryAfter(Duration retryAfter) {
    return require("retry-after", Optional.of(retryAfter), last().retryAfter());
  }

  /** Asserts how many permits the last request has left. */
  public LimiterAssert withRemaining(long remaining) {
    return require("remaining", OptionalLong.of(remaining), last().remaining());
  }

  /** Asserts how the last request was decided, such as by an outage policy. */
  public LimiterAssert decidedBy(Source source) {
    return require("source", source, last().source());
  }

  /** Advances the clock. */
  public LimiterAssert after(Duration time) {
    clock.advance(time);
    return this;
  }

  /**
   * Advances the clock by the retry-after of the last request, as a client does that waits exactly
   * as long as it is told. Fails when there is none.
   */
  public LimiterAssert afterItsRetry() {
    return after(last().retryAfter().orElseThrow(() -> failure("a retry-after", "none")));
  }

  private LimiterAssert require(String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw failure(what + " " + shown(expected), what + " " + shown(actual));
    }
    return this;
  }

  private Decision last() {
    if (last == null) {
      throw new IllegalStateException("request: none yet (expected: grants or denies before)");
    }
    return last;
  }

  private String of(int requests) {
    return "%d %s of %d %s"
        .formatted(
            requests,
            requests == 1 ? "request" : "requests",
            permits,
            permits == 1 ? "permit" : "permits");
  }

  /** Shows no subject, whose value may be a secret: the line of the test has it. */
  private AssertionError failure(String expected, String actual) {
    Decision decision = last();
    return new AssertionError(
        """
        limiter: %s
        expected: %s
        but was: %s
        decision: %s%s, remaining %s, retry-after %s, source %s
        clock: %s"""
            .formatted(
                limiter,
                expected,
                actual,
                decision.allowed() ? "allowed" : "denied",
                decision.allowed() ? "" : decision.limitName().map(" by "::concat).orElse(""),
                shown(decision.remaining()),
                shown(decision.retryAfter()),
                decision.source(),
                clock));
  }

  private static String shown(Object value) {
    if (value instanceof OptionalLong number) {
      return number.isPresent() ? Long.toString(number.getAsLong()) : "none";
    }
    if (value instanceof Optional<?> optional) {
      return optional.map(Object::toString).orElse("none");
    }
    return value.toString();
  }
}
