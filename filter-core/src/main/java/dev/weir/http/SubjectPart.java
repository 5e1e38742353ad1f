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

  /** What chooses a part's value. */
  enum Choice {
    /** Nothing: it is the address, or the same for all. */
    NONE,
    /** The requested route, from a finite set. */
    ROUTE,
    /** The server, which has verified it. */
    SERVER,
    /** The client, freely. */
    CLIENT
  }

  /** The kinds that do not distinguish one client from another. */
  private static final Set<String> OF_ALL = Set.of("global", "path", "method");

  /**
   * Returns whether different clients have this subject. It is then one for all clients, a route,
   * or one for all clients without a distinguishing value. An address or a key may be shared too.
   * That cannot be known here.
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
   * Reads every value that counts, which is nearly always one. If the request lacks it, there is
   * none, or an empty one.
   */
  @FunctionalInterface
  interface Reader {
    List<String> read(RequestContext context);
  }
}
