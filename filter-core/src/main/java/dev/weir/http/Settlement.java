package dev.weir.http;

import dev.weir.Amendment;
import dev.weir.Charge;
import dev.weir.Deadline;
import dev.weir.LimitStore;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Gives back what the rules of one decision have charged for a response that does not count.
 *
 * <p>The request was charged before it was answered, since whoever looks first and charges later
 * lets everybody pass who looks at once. Several rules may have charged one counter, as one sum: of
 * that, the part of those that count stays. Where nobody knows the status, everything does.
 *
 * @param deadline within which the store does so, or else it is lost: that only under-admits
 */
record Settlement(LimitStore store, Duration deadline, Reports reports, Answered answered)
    implements Afterwards {

  /** Whether some response to what was charged might not count. */
  static boolean isNeededFor(Answered answered) {
    return !answered.receipt().grants().isEmpty()
        && answered.rules().stream().anyMatch(rule -> !rule.handling().counted().areAll());
  }

  @Override
  public void ended(OptionalInt status) {
    if (status.isPresent()) {
      giveBack(uncounted(status.getAsInt()));
    }
  }

  private List<RuleCharges> uncounted(int status) {
    return answered.charged().stream()
        .filter(charged -> !charged.rule().handling().counted().contains(status))
        .toList();
  }

  private void giveBack(List<RuleCharges> uncounted) {
    List<Grant> grants = partsOf(uncounted);
    if (grants.isEmpty()) {
      return;
    }
    try {
      Receipt part = new Receipt(answered.decision().source(), grants);
      store.amend(new Amendment.GiveBack(part), Deadline.after(deadline));
    } catch (StoreUnavailableException e) {
      reports.lost(uncounted.stream().map(RuleCharges::rule).toList(), e);
    } catch (RuntimeException e) {
      reports.failed("give-back failed", e);
    }
  }

  private List<Grant> partsOf(List<RuleCharges> uncounted) {
    List<Grant> parts = new ArrayList<>();
    for (Grant grant : answered.receipt().consumed().grants()) {
      long permits =
          uncounted.stream()
              .mapToLong(charged -> charged.permitsOf(grant.charge().counter()))
              .sum();
      if (permits > 0) {
        parts.add(new Grant(new Charge(grant.charge().counter(), permits), grant.stamp()));
      }
    }
    return parts;
  }
}
