package dev.weir.http;

import java.net.URI;
import java.util.Objects;

/**
 * What answers look like.
 *
 * @param denied the body of a denial
 * @param legacy fields of older customs to send beside those of the draft
 * @param quotaExceeded the problem type of a 429
 * @param reducedCapacity the problem type of a 503
 */
public record ResponseStyle(Denied denied, Legacy legacy, URI quotaExceeded, URI reducedCapacity) {

  /** The body of a denial. */
  public enum Denied {
    /** {@code application/problem+json}, RFC 9457. */
    PROBLEM,
    /** The container's error page for the status. */
    ERROR_PAGE
  }

  /** Fields of older customs. */
  public enum Legacy {
    /** None. */
    OFF,
    /**
     * {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}, of the limit that binds;
     * the last is a number of seconds from now, not a time of day.
     */
    X_RATELIMIT
  }

  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

  /** Problem bodies with the types that the draft registers, and no legacy fields. */
  public static final ResponseStyle DEFAULT =
      new ResponseStyle(
          Denied.PROBLEM,
          Legacy.OFF,
          URI.create(TYPES + "quota-exceeded"),
          URI.create(TYPES + "temporary-reduced-capacity"));

  public ResponseStyle {
    Objects.requireNonNull(denied, "denied");
    Objects.requireNonNull(legacy, "legacy");
    Objects.requireNonNull(quotaExceeded, "quotaExceeded");
    Objects.requireNonNull(reducedCapacity, "reducedCapacity");
  }

  public ResponseStyle withDenied(Denied denied) {
    return new ResponseStyle(denied, legacy, quotaExceeded, reducedCapacity);
  }

  public ResponseStyle withLegacy(Legacy legacy) {
    return new ResponseStyle(denied, legacy, quotaExceeded, reducedCapacity);
  }

  public ResponseStyle withTypes(URI quotaExceeded, URI reducedCapacity) {
    return new ResponseStyle(denied, legacy, quotaExceeded, reducedCapacity);
  }
}
