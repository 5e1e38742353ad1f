package dev.weir.local;

import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Source;
import java.time.Duration;
import java.util.List;

/**
 * The decision on a request over several counters, under the locks of their entries. Used by one
 * thread, once.
 */
final class Evaluation {

  private final List<Charge> charges;
  private final boolean takes;
  private final CounterKey[] keys;
  private final Entry[] entries;

  /** Takes an entry for each key, its own or the overflow's. */
  Evaluation(AcquireRequest request, CounterKey[] keys, Entry[] entries) {
    this.charges = request.charges();
    this.takes = !(request.mode() instanceof Mode.Peek);
    this.keys = keys;
    this.entries = entries;
  }

  Decision decide() {
    Retry[] retries = new Retry[entries.length];
    boolean fits = true;
    for (int i = 0; i < entries.length; i++) {
      retries[i] = entries[i].retry(charges.get(i), permitsOf(entries[i]), 0, takes);
      fits &= retries[i] instanceof Retry.Now;
    }
    Receipt receipt =
        takes && fits ? new Receipt(Source.LOCAL, acquire()) : Receipt.nothing(Source.LOCAL);
    Verdict[] verdicts = new Verdict[entries.length];
    for (int i = 0; i < entries.length; i++) {
      verdicts[i] = entries[i].verdict(charges.get(i).counter(), retries[i], keys[i]);
    }
    return new Decision.Counted(Source.LOCAL, List.of(verdicts), receipt, Duration.ZERO);
  }

  private List<Receipt.Grant> acquire() {
    Receipt.Grant[] grants = new Receipt.Grant[entries.length];
    for (int i = 0; i < entries.length; i++) {
      Charge charge = charges.get(i);
      long all = permitsOf(entries[i]);
      long stamp =
          charge.permits() == 0 ? 0 : entries[i].acquire(charge.permits(), all, 0, keys[i]);
      grants[i] = new Receipt.Grant(charge, stamp);
    }
    return List.of(grants);
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
}
