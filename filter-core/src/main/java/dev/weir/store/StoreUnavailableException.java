package dev.weir.store;

import java.io.Serial;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a store that could not decide in time. A store may throw no other failure. It has
 * no stack trace, since an outage creates one exception for each request. The place of the call
 * says nothing about the outage. The message and the cause describe it.
 */
public final class StoreUnavailableException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /** The reasons why a store could not decide. */
  public enum Kind {
    /** The store does not respond, or refuses to work. */
    OUTAGE,

    /** The store works, but a queue in front of it is too long for a reply in time. */
    OVERLOADED,

    /** The caller gave it less time than a reply takes. That says nothing about the store. */
    OUT_OF_TIME,

    /**
     * Only this decision cannot be made: a slot moves, the user of Redis lacks a right, a node's
     * clock is too far off, or this library has a bug.
     */
    FAILED
  }

  private final Kind kind;
  private final Duration nextProbe;

  /**
   * Creates an outage.
   *
   * @param message what failed, without any secret
   * @param nextProbe how long until the store is next tried
   */
  public StoreUnavailableException(String message, Duration nextProbe, @Nullable Throwable cause) {
    this(message, Kind.OUTAGE, nextProbe, cause);
  }

  /**
   * Creates a failure of any kind.
   *
   * @param message what failed, without any secret
   * @param nextProbe how long until the store is next tried
   */
  public StoreUnavailableException(
      String message, Kind kind, Duration nextProbe, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = Objects.requireNonNull(kind, "kind");
    this.nextProbe = Objects.requireNonNull(nextProbe, "nextProbe");
  }

  /** Returns why the store could not decide. */
  public Kind kind() {
    return kind;
  }

  /** Fills in no stack trace, and costs nothing. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  /** Returns how long it takes until the store is next tried. */
  public Duration nextProbe() {
    return nextProbe;
  }
}
