package dev.weir.redis;

import dev.weir.redis.internal.client.NotSentException;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.Group;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt.Grant;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Sends adjustments of grants, in the background if there is no time left. */
final class Adjuster {

  private final Router router;
  private final Refunds refunds;
  private final Duration deadline;

  Adjuster(Router router, Refunds refunds, Duration deadline) {
    this.router = router;
    this.refunds = refunds;
    this.deadline = deadline;
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

  /** Reconciles grants with the permits spent of each counter, as {@link #refund} does. */
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
    Deque<Group> left = new ArrayDeque<>(router.grouped(grants));
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
        // Redis may have run a call without a reply, and only a release may be repeated
        boolean isAccepted =
            NotSentException.isCauseOf(e)
                ? later.test(part)
                : refunds.addHeld(part) && part.stream().allMatch(Grant::isHeld);
        unknown = isAccepted ? unknown : e;
      }
    }
    if (unknown != null) {
      throw unknown;
    }
  }

  /**
   * Starts the time to live of held permits again, for as many of them as possible. Each group has
   * an equal part of the time that is left, and at most the deadline of a reply. So an unresponsive
   * primary does not use up all of it.
   *
   * @return those that had ended
   * @throws StoreUnavailableException when the outcome is unknown for some of them
   */
  Set<Grant> renew(List<Grant> held, Deadline due) throws StoreUnavailableException {
    Deque<Group> left = new ArrayDeque<>(router.grouped(held));
    Set<Grant> ended = new HashSet<>();
    @Nullable StoreUnavailableException unknown = null;
    while (!left.isEmpty()) {
      Duration part = Duration.ofNanos(Math.max(0, due.remainingNanos() / left.size()));
      Group group = left.removeFirst();
      try {
        Deadline dueOfGroup = Deadline.after(part.compareTo(deadline) < 0 ? part : deadline);
        List<Long> renewed = router.call(group, Commands::renew, dueOfGroup);
        for (int i = 0; i < renewed.size(); i++) {
          if (renewed.get(i) == 0) {
            ended.add(group.parts().get(i));
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
    return ended;
  }
}
