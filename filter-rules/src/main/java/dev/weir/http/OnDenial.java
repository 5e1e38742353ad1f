package dev.weir.http;

import dev.weir.internal.Expect;
import dev.weir.internal.Spans;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** What happens to a request that a rule denies. */
public sealed interface OnDenial {

  /** Returns the response to a request that is rejected. Empty where the style of all holds. */
  Optional<DenialResponse> response();

  /**
   * The request is rejected. The client may retry later.
   *
   * @param response of this rule alone; empty where the style of all holds
   */
  record Reject(Optional<DenialResponse> response) implements OnDenial {

    public Reject {
      Objects.requireNonNull(response, "response");
    }

    /** Returns the same with this response. */
    public Reject respondingWith(DenialResponse own) {
      return new Reject(Optional.of(own));
    }
  }

  /**
   * The request passes as if the rule did not exist. The decision of the rule is only counted and
   * reported. In this way a limit is tried alongside those in use. A shadow must have limits of its
   * own. Otherwise it would consume permits that other rules need.
   */
  record Shadow() implements OnDenial {

    @Override
    public Optional<DenialResponse> response() {
      return Optional.empty();
    }
  }

  /**
   * The request is served something cheaper. It passes, and its attribute {@link
   * RequestLimiter#DEGRADED} reports this to the application.
   *
   * @param path the path to which a servlet filter forwards the request; empty when it keeps its
   *     own path, as it always does in JAX-RS
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
            "'" + path.get() + "'",
            "a path within the application that starts with /, without blanks");
      }
    }

    @Override
    public Optional<DenialResponse> response() {
      return Optional.empty();
    }
  }

  /**
   * The request waits until it can run, and then passes. If that would take too long, it is
   * rejected at once. It is charged as of the instant at which it runs.
   *
   * @param maxWait more than zero, at most ten minutes
   * @param response of this rule alone to what is rejected; empty where the style of all holds
   */
  record Delay(Duration maxWait, Optional<DenialResponse> response) implements OnDenial {

    private static final Duration LONGEST = Duration.ofMinutes(10);

    /**
     * @throws IllegalArgumentException when the wait is out of its range
     */
    public Delay {
      Objects.requireNonNull(response, "response");
      if (maxWait.isNegative() || maxWait.isZero() || maxWait.compareTo(LONGEST) > 0) {
        String given =
            maxWait.compareTo(LONGEST) > 0 ? Spans.print(maxWait) : maxWait.toMillis() + "ms";
        throw Expect.failure("delay up to", given, "more than 0, at most 10 minutes");
      }
    }

    /** Returns the same with this response to what is rejected. */
    public Delay respondingWith(DenialResponse own) {
      return new Delay(maxWait, Optional.of(own));
    }
  }

  /** The {@link Reject} without a response of its own. */
  Reject REJECT = new Reject(Optional.empty());

  /** The shared {@link Shadow}. */
  OnDenial SHADOW = new Shadow();

  /** The {@link Degrade} without a path. The request keeps its own path. */
  OnDenial DEGRADE = new Degrade(Optional.empty());

  /**
   * Returns a {@link Degrade} that forwards to this path.
   *
   * @throws IllegalArgumentException when the path does not start with a slash, or has blanks
   */
  static OnDenial degradeTo(String path) {
    return new Degrade(Optional.of(path));
  }

  /**
   * Returns a {@link Delay} with this longest wait.
   *
   * @throws IllegalArgumentException when that is not more than zero, or more than ten minutes
   */
  static Delay delayUpTo(Duration maxWait) {
    return new Delay(maxWait, Optional.empty());
  }
}
