package dev.weir.http;

import java.util.Optional;

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

  /** Reads the value; empty, or an empty string, when the request lacks it. */
  @FunctionalInterface
  interface Reader {
    Optional<String> read(Sighting sighting);
  }
}
