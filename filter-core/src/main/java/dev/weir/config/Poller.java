package dev.weir.config;

/** Runs an action repeatedly. Tests run it by hand. */
@FunctionalInterface
interface Poller {

  /** Runs the action every second, on its own daemon thread. */
  Poller EVERY_SECOND = SecondsPoller::start;

  /**
   * Starts to run this action, never twice at once. An exception does not stop later runs.
   *
   * @return an action that stops it, and waits a moment until it has stopped
   */
  Runnable start(Runnable beat);
}
