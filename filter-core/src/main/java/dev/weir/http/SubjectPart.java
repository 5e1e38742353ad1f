package dev.weir.http;

import java.util.List;

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

  /**
   * Reads every value that counts: nearly always one. None, or an empty one, when the request lacks
   * it.
   */
  @FunctionalInterface
  interface Reader {
    List<String> read(Sighting sighting);
  }
}
