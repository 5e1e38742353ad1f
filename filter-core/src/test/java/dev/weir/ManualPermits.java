package dev.weir;

import dev.weir.fixture.ManualScheduler;
import dev.weir.fixture.ManualTime;
import dev.weir.internal.wait.CounterQueues;
import java.time.Duration;

/** Holds in the time of a test: how long permits are held is what the test lets pass. */
public final class ManualPermits {

  private ManualPermits() {}

  /** Nothing is renewed: no test lets so much time pass while permits are held. */
  public static PermitManager over(LimitStore store, Duration deadline, ManualTime time) {
    return new PermitManager(
        store, deadline, LimiterListener.NONE, new ManualScheduler(time), time);
  }

  /**
   * Requests of these queues have their turn when a test advances this scheduler, on its thread.
   */
  public static WaitQueues queues(
      LimitStore store, Duration deadline, ManualTime time, ManualScheduler turns) {
    return new WaitQueues(
        over(store, deadline, time), new CounterQueues(turns, Runnable::run, Runnable::run));
  }
}
