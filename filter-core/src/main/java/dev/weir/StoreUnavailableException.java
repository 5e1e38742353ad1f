package dev.weir;

import java.io.Serial;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A store could not decide in time: the only failure a store may throw. It has no stack trace, for
 * an outage makes one for each request, and where a store was asked says nothing about it: its
 * message and its cause say what is wrong.
 */
public final class StoreUnavailableException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  /** Why a store could not decide. */
  public enum Kind {
    /** The store does not respond, or refuses to work. */
    OUTAGE,

    /** The store works, but a queue in front of it is too long to answer in time. */
    OVERLOADED,

    /** The caller gave it less time than an answer takes. Says nothing about the store. */
    OUT_OF_TIME,

    /** This one decision cannot be made, while others can: a slot that moves, or a bug of ours. */
    FAILED
  }

  private final Kind kind;
  private final Duration nextProbe;

  /**
   * An outage.
   *
   * @param message what failed, without any secret
   * @param nextProbe how long until the store is next tried
   */
  public StoreUnavailableException(String message, Duration nextProbe, @Nullable Throwable cause) {
    this(message, Kind.OUTAGE, nextProbe, cause);
  }

  /**
   * Any failure.
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

  /** Why it could not decide. */
  public Kind kind() {
    return kind;
  }

  /** Has none, and costs nothing. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  /** How long until the store is next tried. */
  public Duration nextProbe() {
    return nextProbe;
  }
}
