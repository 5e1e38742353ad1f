package dev.weir.http;

import dev.weir.http.SubjectPart.Choice;
import java.util.List;
import java.util.Optional;

/**
 * Where a request carries its key.
 *
 * @param kind as it is configured, the name of a header in lower case
 */
record KeyPlace(String kind) {

  /**
   * @throws IllegalArgumentException when it is no place of a key
   */
  static KeyPlace parse(String text) {
    SubjectPart part = SubjectPartParser.parse(text);
    if (part.choice() != Choice.CLIENT) {
      throw Expect.failure(
          "key", "'" + Expect.printable(text) + "'", "header:NAME, query:NAME or cookie:NAME");
    }
    return new KeyPlace(part.kind());
  }

  /** The one that counts: the first, which is what applications are given; the only cookie. */
  Optional<String> key(RequestView request) {
    return kind.startsWith("cookie:")
        ? request.cookie(kind.substring("cookie:".length()))
        : keys(request).stream().findFirst();
  }

  /** Every value that stands in this place. */
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
