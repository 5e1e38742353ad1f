package dev.weir.http;

import dev.weir.Subject;
import java.util.Optional;
import java.util.Set;

/**
 * One part of a subject: where its value is read, and who chooses it.
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

  /** Reads the value; empty, or an empty string, when the request lacks it. */
  @FunctionalInterface
  interface Reader {
    Optional<String> read(Sighting sighting);
  }
}
