package dev.weir.http.internal.page;

import dev.weir.http.RequestView;
import dev.weir.http.internal.response.AcceptField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The formats of a page for operators. */
public enum PageFormat {
  /** For people and programs, and for who accepts anything. */
  JSON,
  /** The text format of Prometheus. */
  PROMETHEUS;

  /** What Prometheus accepts. Its own text format is the oldest of them. */
  private static final List<String> TEXTS = List.of("text/plain", "application/openmetrics-text");

  /**
   * Returns the format that the parameter {@code format} names, or else the one that the client
   * prefers. Empty if the parameter names no format.
   */
  public static Optional<PageFormat> of(RequestView request) {
    Optional<String> named = request.query("format");
    if (named.isPresent()) {
      return List.of(values()).stream()
          .filter(format -> format.name().toLowerCase(Locale.ROOT).equals(named.get()))
          .findFirst();
    }
    AcceptField accept = AcceptField.of(request.headers("Accept"));
    return Optional.of(accept.prefers(TEXTS, List.of("application/json")) ? PROMETHEUS : JSON);
  }
}
