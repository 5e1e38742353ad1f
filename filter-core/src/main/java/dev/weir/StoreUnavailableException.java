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

  private final Duration nextProbe;

  /**
   * @param message what failed, without any secret
   * @param nextProbe how long until the store is next tried
   */
  public StoreUnavailableException(String message, Duration nextProbe, @Nullable Throwable cause) {
    super(message, cause);
    this.nextProbe = Objects.requireNonNull(nextProbe, "nextProbe");
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
