package dev.weir.config;

/** Has something done again and again, which tests do by hand. */
@FunctionalInterface
interface Pulse {

  /** Every second, on a daemon thread of its own. */
  Pulse EVERY_SECOND = SecondsPulse::start;

  /**
   * Begins to run this, never twice at once. What it throws ends nothing.
   *
   * @return what ends it, and waits for a moment until it has ended
   */
  Runnable start(Runnable beat);
}
