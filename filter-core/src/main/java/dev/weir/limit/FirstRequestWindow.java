package dev.weir.limit;

import dev.weir.internal.Spans;
import dev.weir.limit.FixedWindow.Window;
import java.time.Duration;
import java.util.Objects;

/**
 * A window that starts at its first granted request and lasts a fixed time. The next window starts
 * at the first request after it.
 *
 * @param length whole microseconds, from 1 µs to 366 days
 */
public record FirstRequestWindow(Duration length) implements Window {

  /**
   * @throws IllegalArgumentException when the length is out of its range
   */
  public FirstRequestWindow {
    Objects.requireNonNull(length, "length");
    Spans.validate("window", length);
  }

  @Override
  public Duration longest() {
    return length;
  }

  @Override
  public String toString() {
    return Spans.print(length) + " window";
  }
}
