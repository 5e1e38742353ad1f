package dev.weir.http;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What came back over the wire.
 *
 * @param fields every line, by lower-case name, in order
 */
public record Answer(int status, Map<String, List<String>> fields, String body) {

  /** The status of a connection that was closed instead. */
  static final int UNANSWERED = 0;

  /** All lines of a field as one list, as a client reads it; empty when there is none. */
  public String field(String name) {
    return String.join(", ", fields.getOrDefault(lower(name), List.of()));
  }

  public boolean has(String name) {
    return fields.containsKey(lower(name));
  }

  /** Whether a limit refused it. */
  public boolean isDenied() {
    return status == 429;
  }

  /** Whether the server refused it before anything of ours could run. */
  public boolean isMalformed() {
    return status == UNANSWERED || status == 400 || status == 414 || status == 431;
  }

  /** Whether it reached the application, which may not know the path. */
  public boolean isPassed() {
    return status / 100 == 2 || status == 404 || status == 405;
  }

  /** The {@code Retry-After}, in seconds. */
  public OptionalLong retryAfterSeconds() {
    return has("Retry-After")
        ? OptionalLong.of(Long.parseLong(field("Retry-After")))
        : OptionalLong.empty();
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
