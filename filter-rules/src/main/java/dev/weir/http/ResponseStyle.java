package dev.weir.http;

import java.net.URI;
import java.util.Objects;

/**
 * The form of responses.
 *
 * @param denied the response to a denial, unless the rule has its own
 * @param fields the draft that defines the fields; they report how much clients may still request
 * @param legacy older fields to send alongside those
 * @param quotaExceeded the problem type of a 429
 * @param reducedCapacity the problem type of a 503
 */
public record ResponseStyle(
    DenialResponse denied, Fields fields, Legacy legacy, URI quotaExceeded, URI reducedCapacity) {

  /** The fields of draft-ietf-httpapi-ratelimit-headers, which differ between its versions. */
  public enum Fields {
    /** {@code RateLimit-Policy} and {@code RateLimit}, with the names of limits. */
    DRAFT_11,
    /** The same two, with a quota and a number of seconds. Older clients read these. */
    DRAFT_7,
    /** {@code RateLimit-Limit}, {@code -Remaining}, {@code -Reset} and {@code -Policy}. */
    DRAFT_6,
    /** None. A denial has only {@code Retry-After}. */
    OFF
  }

  /** Older fields outside of the drafts. */
  public enum Legacy {
    /** None. */
    OFF,
    /**
     * {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}, of the limit that binds.
     * The last is a number of seconds from now, not a time of day.
     */
    X_RATELIMIT,
    /** The same, where the last is a number of seconds since 1970, by the clock of the node. */
    X_RATELIMIT_EPOCH
  }

  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";

  /** Problem bodies with the types that draft 11 registers, its fields, and no legacy fields. */
  public static final ResponseStyle DEFAULT =
      new ResponseStyle(
          DenialResponse.PROBLEM,
          Fields.DRAFT_11,
          Legacy.OFF,
          URI.create(TYPES + "quota-exceeded"),
          URI.create(TYPES + "temporary-reduced-capacity"));

  public ResponseStyle {
    Objects.requireNonNull(denied, "denied");
    Objects.requireNonNull(fields, "fields");
    Objects.requireNonNull(legacy, "legacy");
    Objects.requireNonNull(quotaExceeded, "quotaExceeded");
    Objects.requireNonNull(reducedCapacity, "reducedCapacity");
  }

  public ResponseStyle withDenied(DenialResponse denied) {
    return new ResponseStyle(denied, fields, legacy, quotaExceeded, reducedCapacity);
  }

  public ResponseStyle withFields(Fields fields) {
    return new ResponseStyle(denied, fields, legacy, quotaExceeded, reducedCapacity);
  }

  public ResponseStyle withLegacy(Legacy legacy) {
    return new ResponseStyle(denied, fields, legacy, quotaExceeded, reducedCapacity);
  }

  public ResponseStyle withTypes(URI quotaExceeded, URI reducedCapacity) {
    return new ResponseStyle(denied, fields, legacy, quotaExceeded, reducedCapacity);
  }
}
