package dev.weir.http.internal.response;

import static java.util.stream.Collectors.toCollection;

import dev.weir.http.ResponseStyle;
import dev.weir.http.spi.Outcome.Body;
import dev.weir.internal.JsonText;
import dev.weir.store.Decision;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The body of a denial as problem details, RFC 9457. It consists of configured names and numbers
 * only. It contains nothing of the request.
 */
public record ProblemBody(
    URI type, String title, int status, String detail, Set<String> violatedPolicies) {

  private static final String CONTENT_TYPE = "application/problem+json";

  /** The type without further meaning than the status has (RFC 9457 §4.2.1). */
  private static final URI NO_TYPE = URI.create("about:blank");

  public static ProblemBody quotaExceeded(
      ResponseStyle style, int status, Decision.Counted decision, OptionalLong retryAfterSeconds) {
    Set<String> violated =
        decision.verdicts().stream()
            .filter(verdict -> !verdict.fits())
            .map(verdict -> verdict.counter().name())
            .collect(toCollection(LinkedHashSet::new));
    return new ProblemBody(
        style.quotaExceeded(), "Too Many Requests", status, detail(retryAfterSeconds), violated);
  }

  public static ProblemBody reducedCapacity(ResponseStyle style, OptionalLong retryAfterSeconds) {
    return new ProblemBody(
        style.reducedCapacity(), "Service Unavailable", 503, detail(retryAfterSeconds), Set.of());
  }

  /**
   * Returns the body for a client that a rule always denies. Waiting does not help such a client.
   */
  public static ProblemBody forbidden() {
    return new ProblemBody(NO_TYPE, "Forbidden", 403, "This client is refused.", Set.of());
  }

  /** Returns the same problem without the names of limits. */
  public ProblemBody withoutPolicies() {
    return new ProblemBody(type, title, status, detail, Set.of());
  }

  public Body.Text body() {
    StringBuilder json = new StringBuilder(256);
    json.append("{\"type\":");
    JsonText.append(type.toASCIIString(), json).append(",\"title\":");
    JsonText.append(title, json).append(",\"status\":").append(status).append(",\"detail\":");
    JsonText.append(detail, json);
    if (!violatedPolicies.isEmpty()) {
      json.append(",\"violated-policies\":[");
      String separator = "";
      for (String policy : violatedPolicies) {
        JsonText.append(policy, json.append(separator));
        separator = ",";
      }
      json.append(']');
    }
    return new Body.Text(CONTENT_TYPE, json.append('}').toString());
  }

  private static String detail(OptionalLong retryAfterSeconds) {
    if (retryAfterSeconds.isEmpty()) {
      return "The request costs more than the limit ever grants at once.";
    }
    long seconds = retryAfterSeconds.getAsLong();
    return "Try again in " + seconds + (seconds == 1 ? " second." : " seconds.");
  }
}
