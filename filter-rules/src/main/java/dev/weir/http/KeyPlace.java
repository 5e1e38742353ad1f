package dev.weir.http;

import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.internal.Expect;
import java.util.List;
import java.util.Optional;

/** The place where a request carries its key. The name of a header is in lower case. */
record KeyPlace(String kind) {

  private static final List<String> KEYS = List.of("header:", "query:", "cookie:");

  /**
   * @throws IllegalArgumentException when the text is not a place of a key
   */
  static KeyPlace parse(String text) {
    SubjectPart part = SubjectPart.parse(text);
    if (!isOne(part)) {
      throw Expect.failure("key", "'" + text + "'", "header:NAME, query:NAME or cookie:NAME");
    }
    return new KeyPlace(part.kind());
  }

  /** Returns whether a request may carry its key where this part is read. */
  static boolean isOne(SubjectPart part) {
    return KEYS.stream().anyMatch(part.kind()::startsWith);
  }

  /**
   * The digests of the keys in a place.
   *
   * @param ofKey of the key that counts. For a cookie, this is the only value. Otherwise it is the
   *     first value, which is what applications receive
   * @param ofAll of every value
   */
  record Digests(Optional<KeyDigest> ofKey, List<KeyDigest> ofAll) {}

  /** Returns the digests of what a request has in this place. */
  Digests digests(RequestView request) {
    int colon = kind.indexOf(':');
    String name = kind.substring(colon + 1);
    List<String> keys =
        switch (kind.substring(0, colon)) {
          case "header" -> request.headers(name);
          case "query" -> request.queries(name);
          default -> request.cookies(name);
        };
    List<KeyDigest> all = keys.stream().map(KeyDigest::of).toList();
    Optional<String> key =
        kind.startsWith("cookie:") ? request.cookie(name) : keys.stream().findFirst();
    return new Digests(
        key.map(it -> keys.contains(it) ? all.get(keys.indexOf(it)) : KeyDigest.of(it)), all);
  }
}
