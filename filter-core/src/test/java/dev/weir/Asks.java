package dev.weir;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Asks and answers, as tests write them. */
public final class Asks {

  private static final Duration AMPLE = Duration.ofSeconds(10);

  private Asks() {}

  /** An ask for all of these, with ample time. */
  public static Ask ask(Charge... charges) {
    return ask(OnOutage.LOCAL, charges);
  }

  public static Ask ask(OnOutage onOutage, Charge... charges) {
    return new Ask(Arrays.asList(charges), onOutage, Deadline.after(AMPLE));
  }

  public static Ask ask(Terms terms, Charge... charges) {
    return new Ask(Arrays.asList(charges), terms, OnOutage.LOCAL, Deadline.after(AMPLE));
  }

  public static Charge charge(String name, String limit, Subject subject, long permits) {
    return new Charge(new Counter(name, Limit.parse(limit), subject), permits);
  }

  /** Decides as a store that answers must. */
  public static Decision.Counted decide(LimitStore store, Ask ask) {
    try {
      return (Decision.Counted) store.decide(ask);
    } catch (StoreUnavailableException gone) {
      throw new AssertionError("the store is there", gone);
    }
  }

  public static Decision.Counted decide(LimitStore store, Charge... charges) {
    return decide(store, ask(charges));
  }

  public static Decision.Counted upTo(LimitStore store, Charge charge) {
    return decide(store, ask(Terms.UP_TO, charge));
  }

  public static Decision.Counted within(LimitStore store, Duration maxWait, Charge... charges) {
    return decide(store, ask(new Terms.Within(maxWait), charges));
  }

  public static Decision.Counted peek(LimitStore store, Charge... charges) {
    return decide(store, ask(Terms.PEEK, charges));
  }

  public static void giveBack(LimitStore store, Decision.Counted granted) {
    amend(store, new Amendment.GiveBack(granted.receipt()));
  }

  /** Whether what is held was renewed. */
  public static boolean renew(LimitStore store, Decision.Counted granted) {
    return amend(store, new Amendment.Renew(granted.receipt()));
  }

  /** Whether a hold was renewed; true for all other changes. */
  public static boolean amend(LimitStore store, Amendment amendment) {
    try {
      return store.amend(amendment, Deadline.after(AMPLE));
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
