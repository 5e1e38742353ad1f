package dev.weir.local;

import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.local.Shards.Now;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Charge;
import dev.weir.store.Decision;
import dev.weir.store.Mode;
import dev.weir.store.Receipt;
import dev.weir.store.Retry;
import dev.weir.store.Source;
import dev.weir.store.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The decision on one request under the locks of its entries. Used by one thread, once. */
final class Evaluation {

  private final List<Charge> charges;
  private final Mode mode;
  private final CounterKey @Nullable [] keys;
  private final Entry[] entries;
  private final Now now;

  /**
   * @param keys of the charges' counters; null if each entry is its counter's own
   * @param entries of the same counters, each its own or the overflow's
   */
  Evaluation(AcquireRequest request, CounterKey @Nullable [] keys, Entry[] entries, Now now) {
    this.keys = keys;
    this.entries = entries;
    this.now = now;
    this.mode = request.mode();
    this.charges =
        mode instanceof Mode.UpTo ? List.of(upTo(request.charges().get(0))) : request.charges();
  }

  /** Returns a charge for as many permits as are available, but at least one. */
  private Charge upTo(Charge most) {
    long there = Math.min(most.permits(), entries[0].available(now));
    return new Charge(most.counter(), Math.max(1, there));
  }

  Decision decide() {
    return entries.length == 1 ? decideOne() : decideAll();
  }

  private Decision decideOne() {
    Retry retry = retry(0, charges.get(0).permits());
    boolean takes = takes() && retry instanceof Retry.Now;
    Duration delay = delay(takes);
    Receipt receipt =
        takes
            ? receipt(List.of(grant(0, charges.get(0).permits(), delay)))
            : Receipt.nothing(Source.LOCAL);
    return Decision.counted(Source.LOCAL, List.of(verdict(0, retry)), receipt, delay);
  }

  private Decision decideAll() {
    Retry[] retries = new Retry[entries.length];
    boolean fits = true;
    for (int i = 0; i < entries.length; i++) {
      retries[i] = retry(i, permitsOf(entries[i]));
      fits &= retries[i] instanceof Retry.Now;
    }
    Receipt receipt = takes() && fits ? receipt(grants()) : Receipt.nothing(Source.LOCAL);
    return Decision.counted(Source.LOCAL, verdicts(retries), receipt, Duration.ZERO);
  }

  /** Returns whether a request that is allowed takes permits. */
  private boolean takes() {
    return !(mode instanceof Mode.Peek);
  }

  /**
   * Returns the delay of a request that can wait. Any other request is allowed only if it runs at
   * once.
   */
  private Duration delay(boolean takes) {
    if (!takes || !(mode instanceof Mode.Within)) {
      return Duration.ZERO;
    }
    return Duration.ofNanos(entries[0].delayNanos(charges.get(0).permits(), now));
  }

  private long patienceNanos() {
    return mode instanceof Mode.Within within ? TimeUnit.NANOSECONDS.convert(within.maxWait()) : 0;
  }

  /**
   * @param permits all that this request requires of its entry
   */
  private Retry retry(int i, long permits) {
    if (charges.get(i).isNeverSatisfiable()) {
      return Retry.NEVER;
    }
    Entry entry = entries[i];
    long waitNanos = entry.nanosUntilAllowed(permits, patienceNanos(), now);
    if (waitNanos == 0) {
      return Retry.NOW;
    }
    if (takes()) {
      entry.promiseRetry(permits, waitNanos, now);
    }
    return new Retry.After(waitNanos);
  }

  /**
   * Returns all permits that this request requires of an entry. Several subjects may share an entry
   * of the overflow.
   */
  private long permitsOf(Entry entry) {
    long sum = 0;
    for (int i = 0; i < entries.length; i++) {
      if (entries[i] == entry) {
        sum += charges.get(i).permits();
      }
    }
    return sum;
  }

  private static Receipt receipt(List<Receipt.Grant> grants) {
    return new Receipt(Source.LOCAL, grants);
  }

  private List<Receipt.Grant> grants() {
    Receipt.Grant[] grants = new Receipt.Grant[entries.length];
    for (int i = 0; i < entries.length; i++) {
      grants[i] = grant(i, permitsOf(entries[i]), Duration.ZERO);
    }
    return List.of(grants);
  }

  /**
   * @param all permits that this request takes of the charge's entry
   */
  private Receipt.Grant grant(int i, long all, Duration delay) {
    Charge charge = charges.get(i);
    CounterKey subject = keys == null ? entries[i].key() : keys[i];
    long stamp = entries[i].acquire(charge.permits(), all, delay.toNanos(), subject, now);
    return new Receipt.Grant(charge, stamp);
  }

  private List<Verdict> verdicts(Retry[] retries) {
    Verdict[] verdicts = new Verdict[entries.length];
    for (int i = 0; i < entries.length; i++) {
      verdicts[i] = verdict(i, retries[i]);
    }
    return List.of(verdicts);
  }

  private Verdict verdict(int i, Retry retry) {
    long remaining = Math.max(0, entries[i].available(now));
    long resetAfterNanos = entries[i].nanosUntilFull(now);
    return new Verdict(charges.get(i).counter(), remaining, retry, resetAfterNanos);
  }
}
