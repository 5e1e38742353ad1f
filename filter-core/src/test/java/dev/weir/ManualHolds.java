package dev.weir;

import java.time.Duration;

/** Holds in the time of a test: how long permits are held is what the test lets pass. */
public final class ManualHolds {

  private ManualHolds() {}

  /** Nothing is renewed: no test lets so much time pass while permits are held. */
  public static Holds over(LimitStore store, Duration deadline, ManualTime time) {
    return new Holds(store, deadline, LimiterListener.NONE, new ManualAlarm(time), time);
  }
}
