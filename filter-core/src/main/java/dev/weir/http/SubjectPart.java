package dev.weir.http;

import dev.weir.Subject;
import java.util.List;
import java.util.Set;

/**
 * One part of a subject: where its values are read, and what chooses them.
 *
 * @param kind as it is configured, such as {@code header:x-api-key}
 */
record SubjectPart(String kind, Choice choice, Reader reader) {

  /** Who chooses a part's value. */
  enum Choice {
    /** Nobody: it is the address, or the same for all. */
    NOBODY,
    /** The route that was asked for, from a finite set. */
    ROUTE,
    /** The server, having verified it. */
    SERVER,
    /** The client, freely. */
    CLIENT
  }

  /** Of these nothing tells one client from another. */
  private static final Set<String> OF_ALL = Set.of("global", "path", "method");

  /**
   * Whether different clients have this subject: it is everybody, a route, or all those together
   * that lack what would tell them apart. An address or a key may be shared too, which cannot be
   * known here.
   */
  static boolean isShared(Subject subject) {
    for (Subject.Part part : subject.parts()) {
      if (!OF_ALL.contains(part.kind()) && !part.value().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads every value that counts: nearly always one. None, or an empty one, when the request lacks
   * it.
   */
  @FunctionalInterface
  interface Reader {
    List<String> read(RequestContext sighting);
  }
}
