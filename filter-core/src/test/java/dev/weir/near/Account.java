package dev.weir.near;

import dev.weir.limit.TokenBucket;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.OnOutage;
import java.time.Duration;
import java.util.List;

/** The books of one counter: what was asked for, and what all nodes together admitted. */
final class Account {

  private static final Duration FAR = Duration.ofDays(1);

  private final Counter counter;
  private final AcquireRequest request;
  private final ExactBucket promise;
  private final ExactBucket ideal;

  long requested;
  long inProcess;

  /** Calls that fetch leases, or end them. */
  long leaseCalls;

  long admitted;
  long overAdmitted;

  /** What one bucket would have allowed if it had received every request immediately. */
  long entitled;

  long lent;
  long returned;
  long spent;
  long lostInCrashes;

  Account(Counter counter) {
    this.counter = counter;
    request =
        new AcquireRequest(List.of(new Charge(counter, 1)), OnOutage.DENY, Deadline.after(FAR));
    promise = new ExactBucket((TokenBucket) counter.limit());
    ideal = new ExactBucket((TokenBucket) counter.limit());
  }

  Counter counter() {
    return counter;
  }

  AcquireRequest request() {
    return request;
  }

  long burst() {
    return counter.limit().capacity();
  }

  void requested(long nowMicros) {
    requested++;
    if (ideal.tryTake(nowMicros)) {
      entitled++;
    }
  }

  void admitted(long nowMicros) {
    admitted++;
    overAdmitted += promise.take(1, nowMicros);
  }

  long lent() {
    return lent;
  }

  /** Returns the permits that were lent, and neither spent nor returned in time. */
  long lost() {
    return lent - spent - returned;
  }
}
