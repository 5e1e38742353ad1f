package dev.weir;

/** A source of time that only differences of are used, as of {@link System#nanoTime}. */
@FunctionalInterface
public interface Ticker {

  /** Nanoseconds since an arbitrary origin; never decreasing. */
  long nanoTime();

  /** The system's. */
  static Ticker system() {
    return System::nanoTime;
  }
}
