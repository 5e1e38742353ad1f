package dev.weir.redis;

import dev.weir.AcquireRequest;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.Mode;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.Verdict;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Group;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the decisions on acquire requests. If all keys belong to one group, one call decides.
 * Otherwise it decides one group after the other. If a later group denies or fails, it posts a
 * refund to each primary that has granted something. It does not wait for the refunds. After a
 * denial it peeks at the remaining groups, so that their state is without the refunded permits.
 *
 * <p>While a slot moves, Redis refuses a script over two keys of that slot. Each key is then a
 * group of its own.
 */
final class Decider {

  private final Router router;

  Decider(Router router) {
    this.router = router;
  }

  Decision decide(AcquireRequest request) throws StoreUnavailableException {
    List<Group> groups = router.groups(request.charges());
    if (request.mode() instanceof Mode.Peek) {
      return uncharged(peek(groups, request.deadline()), request);
    }
    if (request.mode() instanceof Mode.Leased leased) {
      return lease(groups.get(0), leased, request.deadline());
    }
    return groups.size() == 1
        ? decideAtOnce(request, groups.get(0))
        : decideInTurn(request, groups);
  }

  private Decision lease(Group group, Mode.Leased leased, Deadline due)
      throws StoreUnavailableException {
    List<Long> reply = router.call(group, to -> to.lease(group, leased.settled()), due);
    return DecisionReply.lent(group.first().counter(), reply);
  }

  private Decision decideAtOnce(AcquireRequest request, Group group)
      throws StoreUnavailableException {
    try {
      DecisionReply answer = answer(request, group);
      return Decision.counted(
          Source.REDIS,
          answer.verdicts(),
          new Receipt(Source.REDIS, answer.grants()),
          answer.delay());
    } catch (StoreUnavailableException e) {
      if (Router.isSplit(group, e)) {
        return decideInTurn(request, group.ofOneKey());
      }
      throw e;
    }
  }

  private DecisionReply answer(AcquireRequest request, Group group)
      throws StoreUnavailableException {
    Deadline due = request.deadline();
    if (request.mode() instanceof Mode.UpTo) {
      List<Long> reply = router.call(group, to -> to.decideUpTo(group), due);
      long decided = reply.get(DecisionReply.FIELDS);
      return DecisionReply.of(List.of(new Charge(group.first().counter(), decided)), reply);
    }
    List<Long> reply =
        request.mode() instanceof Mode.Within within
            ? router.call(group, to -> to.decideWithin(group, within.maxWait()), due)
            : router.call(group, to -> to.decide(group), due);
    return DecisionReply.of(group.charges(), reply);
  }

  private Decision decideInTurn(AcquireRequest request, List<Group> groups)
      throws StoreUnavailableException {
    router.requireHealthy(groups);
    Deque<Group> left = new ArrayDeque<>(groups);
    List<Group> decided = new ArrayList<>();
    List<Verdict> verdicts = new ArrayList<>();
    List<Grant> grants = new ArrayList<>();
    while (!left.isEmpty()) {
      Group group = left.removeFirst();
      @Nullable DecisionReply answer = answerOrRefund(request, group, grants);
      if (answer == null) {
        pushAll(group.ofOneKey(), left);
        continue;
      }
      if (!answer.fits()) {
        refund(grants);
        decided.addAll(left);
        return denial(answer, decided, request);
      }
      decided.add(group);
      verdicts.addAll(answer.verdicts());
      grants.addAll(answer.grants());
    }
    return Decision.counted(
        Source.REDIS, inOrder(verdicts, request), new Receipt(Source.REDIS, grants));
  }

  /**
   * Decides a group. Returns null if the group is split. If the group cannot be decided, it refunds
   * the earlier grants.
   */
  private @Nullable DecisionReply answerOrRefund(
      AcquireRequest request, Group group, List<Grant> granted) throws StoreUnavailableException {
    try {
      return answer(request, group);
    } catch (StoreUnavailableException e) {
      if (Router.isSplit(group, e)) {
        return null;
      }
      refund(granted);
      throw e;
    }
  }

  private static void pushAll(List<Group> groups, Deque<Group> before) {
    for (int i = groups.size() - 1; i >= 0; i--) {
      before.addFirst(groups.get(i));
    }
  }

  /** Posts refunds. It does not wait for them, because there may be no time left. */
  private void refund(List<Grant> granted) {
    router.granted(granted).forEach(router::post);
  }

  /** Returns a denial. It is final even if other primaries do not reply. */
  private Decision denial(DecisionReply denied, List<Group> others, AcquireRequest request) {
    List<Verdict> verdicts = new ArrayList<>(denied.verdicts());
    for (Group other : others) {
      try {
        verdicts.addAll(peek(other, request.deadline()));
      } catch (StoreUnavailableException silent) {
        // the state of that group is unknown
      }
    }
    return uncharged(verdicts, request);
  }

  private List<Verdict> peek(List<Group> groups, Deadline due) throws StoreUnavailableException {
    List<Verdict> verdicts = new ArrayList<>();
    for (Group group : groups) {
      verdicts.addAll(peek(group, due));
    }
    return verdicts;
  }

  private List<Verdict> peek(Group group, Deadline due) throws StoreUnavailableException {
    try {
      List<Long> reply = router.call(group, to -> to.peek(group), due);
      return DecisionReply.of(group.charges(), reply).verdicts();
    } catch (StoreUnavailableException e) {
      if (Router.isSplit(group, e)) {
        return peek(group.ofOneKey(), due);
      }
      throw e;
    }
  }

  private static Decision uncharged(List<Verdict> verdicts, AcquireRequest request) {
    return Decision.counted(
        Source.REDIS, inOrder(verdicts, request), Receipt.nothing(Source.REDIS));
  }

  private static List<Verdict> inOrder(List<Verdict> verdicts, AcquireRequest request) {
    return verdicts.stream()
        .sorted(Comparator.comparingInt(verdict -> position(verdict.counter(), request)))
        .toList();
  }

  private static int position(Counter counter, AcquireRequest request) {
    for (int i = 0; i < request.charges().size(); i++) {
      if (request.charges().get(i).counter().equals(counter)) {
        return i;
      }
    }
    throw new IllegalStateException("every verdict answers a charge");
  }
}
