package dev.weir.redis;

import dev.weir.redis.internal.client.NotSentException;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.Group;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Receipt.Grant;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends adjustments of grants. An adjustment that cannot be sent in time is sent later, in the
 * background.
 */
final class Adjuster implements Refunds.Sender {

  private final Router router;
  private final Refunds refunds;

  /**
   * @param refunds takes the adjustments that have no time left
   */
  Adjuster(Router router, Refunds refunds) {
    this.router = router;
    this.refunds = refunds;
  }

  /**
   * Refunds grants. A refund that cannot be sent in time is sent in the background. Held permits
   * are also released in the background when it is unknown whether Redis has released them.
   *
   * @throws StoreUnavailableException when it is unknown whether consumed permits were refunded, or
   *     when too many adjustments wait
   */
  void refund(List<Grant> grants, Deadline due) throws StoreUnavailableException {
    adjust(grants, Commands::refund, due, refunds::add);
  }

  /**
   * Reconciles grants with the permits that were spent of each counter.
   *
   * @throws StoreUnavailableException as for {@link #refund}
   */
  void reconcile(List<Grant> grants, long spent, Deadline due) throws StoreUnavailableException {
    adjust(
        grants,
        (to, group) -> to.reconcile(group, spent),
        due,
        part -> refunds.addReconcile(part, spent));
  }

  private void adjust(
      List<Grant> grants,
      BiFunction<Commands, Group, ScriptCall> now,
      Deadline due,
      Predicate<List<Grant>> later)
      throws StoreUnavailableException {
    @Nullable StoreUnavailableException unknown = null;
    Deque<Group> left = new ArrayDeque<>(router.granted(grants));
    while (!left.isEmpty()) {
      Group group = left.removeFirst();
      try {
        List<Long> unused = router.call(group, now, due);
      } catch (StoreUnavailableException e) {
        if (Router.isSplit(group, e)) {
          left.addAll(group.ofOneKey());
          continue;
        }
        List<Grant> part = group.parts();
        boolean isAccepted =
            NotSentException.isCauseOf(e) ? later.test(part) : isReleasedLater(part);
        unknown = isAccepted ? unknown : e;
      }
    }
    if (unknown != null) {
      throw unknown;
    }
  }

  /**
   * Releases the held ones of these grants later, because a call without a reply may not have done
   * so. Returns whether nothing else is left to adjust.
   */
  private boolean isReleasedLater(List<Grant> grants) {
    return refunds.addHeld(grants) && grants.stream().allMatch(Grant::isHeld);
  }

  /**
   * Starts the time to live of held permits again, for as many of them as possible.
   *
   * @param each the most time for one group, so that an unresponsive primary does not use up all of
   *     it
   * @return whether all of them were renewed; false when one had expired
   * @throws StoreUnavailableException when the outcome is unknown for some of them
   */
  boolean renew(Adjustment.Renew renew, Deadline due, Duration each)
      throws StoreUnavailableException {
    Deque<Group> left = new ArrayDeque<>(router.granted(renew.receipt().grants()));
    boolean areAllHeld = true;
    @Nullable StoreUnavailableException unknown = null;
    while (!left.isEmpty()) {
      Deadline part = part(due, left.size(), each);
      Group group = left.removeFirst();
      try {
        List<Long> renewed = router.call(group, Commands::renew, part);
        for (int i = 0; i < renewed.size(); i++) {
          if (renewed.get(i) == 0) {
            areAllHeld = false;
            renew.ended().accept(group.parts().get(i));
          }
        }
      } catch (StoreUnavailableException e) {
        if (Router.isSplit(group, e)) {
          left.addAll(group.ofOneKey());
        } else {
          unknown = unknown == null ? e : unknown; // other primaries may still reply
        }
      }
    }
    if (unknown != null) {
      throw unknown;
    }
    return areAllHeld;
  }

  /** Returns the deadline of the next group. It is an equal part of the time that is left. */
  private static Deadline part(Deadline due, int groups, Duration most) {
    Duration part = Duration.ofNanos(Math.max(0, due.remainingNanos() / groups));
    return Deadline.after(part.compareTo(most) < 0 ? part : most);
  }

  @Override
  public long refundNow(Grant granted, Deadline due) throws StoreUnavailableException {
    return router.call(groupOf(granted), Commands::refund, due).get(0);
  }

  @Override
  public void reconcileNow(Grant granted, long spent, Deadline due)
      throws StoreUnavailableException {
    List<Long> unused =
        router.call(groupOf(granted), (to, group) -> to.reconcile(group, spent), due);
  }

  private Group groupOf(Grant granted) {
    return router.granted(List.of(granted)).get(0);
  }
}
