package dev.weir.http;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** What becomes of a request that a rule denies. */
public sealed interface OnDenial {

  /** The client is told to come later. */
  record Reject() implements OnDenial {}

  /**
   * It passes as if the rule were not there. What the rule would have answered is counted and
   * reported: so a limit is tried beside those in use. A shadow's limits are its own, or it would
   * spend what others are granted.
   */
  record Shadow() implements OnDenial {}

  /**
   * It is served something cheaper: it passes, and the attribute {@link RequestLimiter#DEGRADED} of
   * the request tells the application so.
   *
   * @param path where a servlet filter forwards it to; empty when it goes where it would have gone,
   *     as it always does in JAX-RS
   */
  record Degrade(Optional<String> path) implements OnDenial {

    private static final Pattern PATH = Pattern.compile("/[^\\s\\p{Cntrl}]*");

    /**
     * @throws IllegalArgumentException when the path does not start with a slash, or has blanks
     */
    public Degrade {
      Objects.requireNonNull(path, "path");
      if (path.filter(to -> !PATH.matcher(to).matches()).isPresent()) {
        throw Expect.failure(
            "degrade to",
            "'" + Expect.printable(path.get()) + "'",
            "a path within the application that starts with /, without blanks");
      }
    }
  }

  /**
   * It waits until it can run, and passes then; or the client is told to come later, at once, when
   * that would take too long. It is charged as of the instant at which it runs.
   *
   * @param maxWait more than zero, at most ten minutes
   */
  record Delay(Duration maxWait) implements OnDenial {

    private static final Duration LONGEST = Duration.ofMinutes(10);

    /**
     * @throws IllegalArgumentException when the wait is out of its range
     */
    public Delay {
      if (maxWait.isNegative() || maxWait.isZero() || maxWait.compareTo(LONGEST) > 0) {
        throw Expect.failure("delay up to", maxWait, "more than 0, at most 10 minutes");
      }
    }
  }

  /** The only {@link Reject} that is needed. */
  OnDenial REJECT = new Reject();

  /** The only {@link Shadow} that is needed. */
  OnDenial SHADOW = new Shadow();

  /** The {@link Degrade} that goes where it would have gone. */
  OnDenial DEGRADE = new Degrade(Optional.empty());

  /**
   * The one that forwards to this path.
   *
   * @throws IllegalArgumentException when the path does not start with a slash, or has blanks
   */
  static OnDenial degradeTo(String path) {
    return new Degrade(Optional.of(path));
  }

  /**
   * The one that waits so long at most.
   *
   * @throws IllegalArgumentException when that is not more than zero, or more than ten minutes
   */
  static OnDenial delayUpTo(Duration maxWait) {
    return new Delay(maxWait);
  }
}
