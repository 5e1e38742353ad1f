package dev.weir.internal.wait;

import java.time.Duration;

/**
 * Implemented by a store whose time does not pass by itself, as that of a test. Its limiters wait
 * for permits, and hold them, in the same time.
 */
public interface VirtualTime {

  /** Returns new queues in this time, for one limiter. */
  WaitQueues waitQueues(Duration deadline);
}
