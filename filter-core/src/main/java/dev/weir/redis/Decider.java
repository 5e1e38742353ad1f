package dev.weir.redis;

import dev.weir.Ask;
import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.Terms;
import dev.weir.Verdict;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Group;
import dev.weir.redis.internal.script.LeaseReply;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides asks: in one call where all keys are of one group, else one group after the other. When a
 * later one denies or fails, a refund of what was granted is posted to each primary at once. The
 * other groups then tell how they stand without it.
 *
 * <p>While a slot moves, Redis decides over no two keys of it. Each key is then a group of its own.
 */
final class Decider {

  private final Router router;

  Decider(Router router) {
    this.router = router;
  }

  Decision decide(Ask ask) throws StoreUnavailableException {
    List<Group> groups = router.groups(ask.charges());
    if (ask.terms() instanceof Terms.Peek) {
      return uncharged(peek(groups, ask.deadline()), ask);
    }
    if (ask.terms() instanceof Terms.Leased leased) {
      return lease(groups.get(0), leased, ask.deadline());
    }
    return groups.size() == 1 ? decideAtOnce(ask, groups.get(0)) : decideInTurn(ask, groups);
  }

  private Decision lease(Group group, Terms.Leased leased, Deadline due)
      throws StoreUnavailableException {
    List<Long> reply = router.call(group, to -> to.lease(group, leased.settled()), due);
    return LeaseReply.of(group.first().counter(), reply);
  }

  private Decision decideAtOnce(Ask ask, Group group) throws StoreUnavailableException {
    try {
      DecisionReply answer = answer(ask, group);
      return Decision.counted(
          Source.REDIS,
          answer.verdicts(),
          new Receipt(Source.REDIS, answer.grants()),
          answer.delay());
    } catch (StoreUnavailableException e) {
      if (Router.isSplit(group, e)) {
        return decideInTurn(ask, group.ofOneKey());
      }
      throw e;
    }
  }

  private DecisionReply answer(Ask ask, Group group) throws StoreUnavailableException {
    Deadline due = ask.deadline();
    if (ask.terms() instanceof Terms.UpTo) {
      List<Long> reply = router.call(group, to -> to.decideUpTo(group), due);
      long decided = reply.get(DecisionReply.FIELDS);
      return DecisionReply.of(List.of(new Charge(group.first().counter(), decided)), reply);
    }
    List<Long> reply =
        ask.terms() instanceof Terms.Within within
            ? router.call(group, to -> to.decideWithin(group, within.maxWait()), due)
            : router.call(group, to -> to.decide(group), due);
    return DecisionReply.of(group.charges(), reply);
  }

  private Decision decideInTurn(Ask ask, List<Group> groups) throws StoreUnavailableException {
    router.requireHealthy(groups);
    Deque<Group> left = new ArrayDeque<>(groups);
    List<Group> decided = new ArrayList<>();
    List<Verdict> verdicts = new ArrayList<>();
    List<Grant> grants = new ArrayList<>();
    while (!left.isEmpty()) {
      Group group = left.removeFirst();
      @Nullable DecisionReply answer = answerOrRefund(ask, group, grants);
      if (answer == null) {
        pushAll(group.ofOneKey(), left);
        continue;
      }
      if (!answer.fits()) {
        refund(grants);
        decided.addAll(left);
        return denial(answer, decided, ask);
      }
      decided.add(group);
      verdicts.addAll(answer.verdicts());
      grants.addAll(answer.grants());
    }
    return Decision.counted(
        Source.REDIS, inOrder(verdicts, ask), new Receipt(Source.REDIS, grants));
  }

  /** Null where the group is split; what was granted is refunded where it cannot be decided. */
  private @Nullable DecisionReply answerOrRefund(Ask ask, Group group, List<Grant> granted)
      throws StoreUnavailableException {
    try {
      return answer(ask, group);
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

  /** There may be no time left to wait for it. */
  private void refund(List<Grant> granted) {
    router.granted(granted).forEach(router::post);
  }

  /** It stands, whoever else is silent. */
  private Decision denial(DecisionReply denied, List<Group> others, Ask ask) {
    List<Verdict> verdicts = new ArrayList<>(denied.verdicts());
    for (Group other : others) {
      try {
        verdicts.addAll(peek(other, ask.deadline()));
      } catch (StoreUnavailableException silent) {
        // how that one stands is not known
      }
    }
    return uncharged(verdicts, ask);
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

  private static Decision uncharged(List<Verdict> verdicts, Ask ask) {
    return Decision.counted(Source.REDIS, inOrder(verdicts, ask), Receipt.nothing(Source.REDIS));
  }

  private static List<Verdict> inOrder(List<Verdict> verdicts, Ask ask) {
    return verdicts.stream()
        .sorted(Comparator.comparingInt(verdict -> position(verdict.counter(), ask)))
        .toList();
  }

  private static int position(Counter counter, Ask ask) {
    for (int i = 0; i < ask.charges().size(); i++) {
      if (ask.charges().get(i).counter().equals(counter)) {
        return i;
      }
    }
    throw new IllegalStateException("every verdict answers a charge");
  }
}
