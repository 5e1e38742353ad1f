package dev.weir.store;

/** A source of time of which only differences are used, as of {@link System#nanoTime}. */
@FunctionalInterface
public interface Ticker {

  /** Returns nanoseconds since an arbitrary origin; never decreasing. */
  long nanoTime();

  /** Returns the system's ticker. */
  static Ticker system() {
    return System::nanoTime;
  }
}
