package dev.weir.http;

import dev.weir.http.SubjectPart.Choice;
import dev.weir.internal.Expect;
import java.util.List;
import java.util.Optional;

/**
 * The place where a request carries its key.
 *
 * @param kind as it is configured, the name of a header in lower case
 */
record KeyPlace(String kind) {

  /**
   * @throws IllegalArgumentException when the text is not a place of a key
   */
  static KeyPlace parse(String text) {
    SubjectPart part = SubjectPart.parse(text);
    if (part.choice() != Choice.CLIENT) {
      throw Expect.failure("key", "'" + text + "'", "header:NAME, query:NAME or cookie:NAME");
    }
    return new KeyPlace(part.kind());
  }

  /**
   * Returns the key that counts. For a cookie, this is the only value. Otherwise it is the first
   * value, which is what applications receive.
   */
  Optional<String> key(RequestView request) {
    return kind.startsWith("cookie:")
        ? request.cookie(kind.substring("cookie:".length()))
        : keys(request).stream().findFirst();
  }

  /** Returns every value in this place. */
  List<String> keys(RequestView request) {
    int colon = kind.indexOf(':');
    String name = kind.substring(colon + 1);
    return switch (kind.substring(0, colon)) {
      case "header" -> request.headers(name);
      case "query" -> request.queries(name);
      default -> request.cookies(name);
    };
  }
}
