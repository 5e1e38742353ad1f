package dev.weir.local;

import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Decision;
import dev.weir.NodeShare;
import dev.weir.Receipt;
import dev.weir.Retry;
import dev.weir.Source;
import dev.weir.Terms;
import dev.weir.Verdict;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One ask being decided under the locks of its entries. Used by one thread, once. */
final class Hearing {

  /** When a probe is due at once, or is being made. */
  private static final Duration SHORTLY = Duration.ofMillis(1);

  private final List<Charge> charges;
  private final Terms terms;
  private final Entry[] entries;
  private final Moment now;
  private final NodeShare nodeShare;

  Hearing(Ask ask, Entry[] entries, Moment now, NodeShare nodeShare) {
    this.entries = entries;
    this.now = now;
    this.nodeShare = nodeShare;
    this.terms = ask.terms();
    this.charges =
        terms instanceof Terms.UpTo ? List.of(upTo(ask.charges().get(0))) : ask.charges();
  }

  /** For as many permits as there are, but at least one. */
  private Charge upTo(Charge most) {
    long there = Math.min(most.permits(), entries[0].available(now));
    return new Charge(most.counter(), Math.max(1, there));
  }

  Decision decide() {
    return entries.length == 1 ? decideOne() : decideAll();
  }

  private Decision decideOne() {
    Retry retry = retry(0, charges.get(0).permits());
    boolean takes = takes(retry instanceof Retry.Now);
    Duration delay = delay(takes);
    Receipt receipt = takes ? receipt(List.of(grant(0))) : Receipt.nothing(Source.LOCAL);
    return Decision.counted(Source.LOCAL, List.of(verdict(0, retry)), receipt, delay);
  }

  private Decision decideAll() {
    Retry[] retries = new Retry[entries.length];
    boolean fits = true;
    for (int i = 0; i < entries.length; i++) {
      retries[i] = retry(i, permitsOf(entries[i]));
      fits &= retries[i] instanceof Retry.Now;
    }
    boolean takes = takes(fits);
    Duration delay = delay(takes);
    Receipt receipt = takes ? receipt(grants()) : Receipt.nothing(Source.LOCAL);
    return Decision.counted(Source.LOCAL, verdicts(retries), receipt, delay);
  }

  private boolean takes(boolean fits) {
    return fits && !(terms instanceof Terms.Peek || terms instanceof Terms.Leased);
  }

  /** Of who can wait; nobody else is let in before he may run. */
  private Duration delay(boolean takes) {
    if (!takes || !(terms instanceof Terms.Within)) {
      return Duration.ZERO;
    }
    return Duration.ofNanos(entries[0].place(charges.get(0).permits(), now).delayNanos());
  }

  private long patienceNanos() {
    return terms instanceof Terms.Within within
        ? TimeUnit.NANOSECONDS.convert(within.maxWait())
        : 0;
  }

  /**
   * @param permits all that this ask wants of its entry
   */
  private Retry retry(int i, long permits) {
    Charge charge = charges.get(i);
    Entry entry = entries[i];
    if (charge.isNeverSatisfiable()) {
      return Retry.NEVER;
    }
    if (charge.permits() > entry.share().capacity()) {
      return nodeShare.nextProbe().map(probe -> afterProbe(probe, entry)).orElse(Retry.NEVER);
    }
    long capacity = entry.share().capacity();
    long waitNanos = entry.place(Math.min(permits, capacity), now).nanosUntilLetIn(patienceNanos());
    return waitNanos == 0 && permits <= capacity
        ? Retry.NOW
        : new Retry.After(Math.max(1, waitNanos));
  }

  /** The shared store blocks this counter as well. */
  private Retry afterProbe(Duration probe, Entry entry) {
    Duration blocked = Duration.ofNanos(entry.blockedNanos(now));
    return new Retry.After(Collections.max(List.of(SHORTLY, probe, blocked)));
  }

  /** All that this ask wants of an entry: in the overflow, several subjects share one. */
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
      grants[i] = grant(i);
    }
    return List.of(grants);
  }

  private Receipt.Grant grant(int i) {
    Charge charge = charges.get(i);
    return new Receipt.Grant(charge, entries[i].slot().letIn(charge.permits(), now));
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
