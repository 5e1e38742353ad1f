package dev.weir;

import dev.weir.limit.Limit;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Asks and answers, as tests write them. */
public final class AcquireRequests {

  private static final Duration AMPLE = Duration.ofSeconds(10);

  private AcquireRequests() {}

  /** An ask for all of these, with ample time. */
  public static AcquireRequest request(Charge... charges) {
    return request(OnOutage.LOCAL, charges);
  }

  public static AcquireRequest request(OnOutage onOutage, Charge... charges) {
    return new AcquireRequest(Arrays.asList(charges), onOutage, Deadline.after(AMPLE));
  }

  public static AcquireRequest request(Mode mode, Charge... charges) {
    return new AcquireRequest(Arrays.asList(charges), mode, OnOutage.LOCAL, Deadline.after(AMPLE));
  }

  public static Charge charge(String name, String limit, Subject subject, long permits) {
    return new Charge(new Counter(name, Limit.parse(limit), subject), permits);
  }

  /** Decides as a store that answers must. */
  public static Decision.Counted decide(LimitStore store, AcquireRequest request) {
    try {
      return (Decision.Counted) store.decide(request);
    } catch (StoreUnavailableException gone) {
      throw new AssertionError("the store is there", gone);
    }
  }

  public static Decision.Counted decide(LimitStore store, Charge... charges) {
    return decide(store, request(charges));
  }

  public static Decision.Counted upTo(LimitStore store, Charge charge) {
    return decide(store, request(Mode.UP_TO, charge));
  }

  public static Decision.Counted within(LimitStore store, Duration maxWait, Charge... charges) {
    return decide(store, request(new Mode.Within(maxWait), charges));
  }

  public static Decision.Counted peek(LimitStore store, Charge... charges) {
    return decide(store, request(Mode.PEEK, charges));
  }

  public static void refund(LimitStore store, Decision.Counted granted) {
    adjust(store, new Adjustment.Refund(granted.receipt()));
  }

  /** Whether what is held was renewed. */
  public static boolean renew(LimitStore store, Decision.Counted granted) {
    return adjust(store, new Adjustment.Renew(granted.receipt()));
  }

  /** Whether a hold was renewed; true for all other changes. */
  public static boolean adjust(LimitStore store, Adjustment adjustment) {
    try {
      return store.adjust(adjustment, Deadline.after(AMPLE));
    } catch (StoreUnavailableException gone) {
      throw new AssertionError("the store is there", gone);
    }
  }

  /** How many single permits pass before the first denial, at most so many. */
  public static int admittedOf(int tries, LimitStore store, Charge charge) {
    int admitted = 0;
    while (admitted < tries && decide(store, charge).allowed()) {
      admitted++;
    }
    return admitted;
  }

  public static Duration retryAfter(Decision decision) {
    return decision
        .retryAfter()
        .orElseThrow(() -> new AssertionError("no retry-after: " + decision));
  }

  public static List<Long> remaining(Decision.Counted decision) {
    return decision.verdicts().stream().map(Verdict::remaining).toList();
  }
}
