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
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Group;
import dev.weir.redis.internal.script.LeaseReply;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;

/**
 * Decides asks: in one call where all keys are of one group, else one group after the other. When a
 * later one denies, what was granted is refunded by now, and the other groups tell how they stand
 * without it.
 */
final class Decider {

  private final Commands commands;
  private final Router router;
  private final Adjuster adjuster;

  /**
   * @param adjuster refunds what was granted before a denial or a failure
   */
  Decider(Commands commands, Router router, Adjuster adjuster) {
    this.commands = commands;
    this.router = router;
    this.adjuster = adjuster;
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
    Supplier<ScriptCall> command = () -> commands.lease(group, leased.settled());
    return LeaseReply.of(group.first().counter(), router.call(group, command, due));
  }

  private Decision decideAtOnce(Ask ask, Group group) throws StoreUnavailableException {
    DecisionReply answer = answer(ask, group);
    return Decision.counted(
        Source.REDIS,
        answer.verdicts(),
        new Receipt(Source.REDIS, answer.grants()),
        answer.delay());
  }

  private DecisionReply answer(Ask ask, Group group) throws StoreUnavailableException {
    Deadline due = ask.deadline();
    if (ask.terms() instanceof Terms.UpTo) {
      List<Long> reply = router.call(group, () -> commands.decideUpTo(group), due);
      long decided = reply.get(DecisionReply.FIELDS);
      return DecisionReply.of(List.of(new Charge(group.first().counter(), decided)), reply);
    }
    if (ask.terms() instanceof Terms.Within within) {
      Supplier<ScriptCall> command = () -> commands.decideWithin(group, within.maxWait());
      return DecisionReply.of(group.charges(), router.call(group, command, due));
    }
    return DecisionReply.of(group.charges(), router.call(group, () -> commands.decide(group), due));
  }

  private Decision decideInTurn(Ask ask, List<Group> groups) throws StoreUnavailableException {
    router.requireHealthy(groups);
    List<Verdict> verdicts = new ArrayList<>();
    List<Grant> grants = new ArrayList<>();
    for (Group group : groups) {
      DecisionReply answer = answerOrRefund(ask, group, grants);
      if (!answer.fits()) {
        undo(grants, ask.deadline());
        return denial(answer, allBut(group, groups), ask);
      }
      verdicts.addAll(answer.verdicts());
      grants.addAll(answer.grants());
    }
    return Decision.counted(
        Source.REDIS, inOrder(verdicts, ask), new Receipt(Source.REDIS, grants));
  }

  private DecisionReply answerOrRefund(Ask ask, Group group, List<Grant> granted)
      throws StoreUnavailableException {
    try {
      return answer(ask, group);
    } catch (StoreUnavailableException e) {
      adjuster.refundLater(granted); // there may be no time left for it now
      throw e;
    }
  }

  /** A denial stands, whatever becomes of what was granted before it. */
  private void undo(List<Grant> grants, Deadline due) {
    try {
      adjuster.refund(grants, due);
    } catch (StoreUnavailableException unknown) {
      // what is consumed must not be refunded twice
    }
  }

  private static List<Group> allBut(Group one, List<Group> groups) {
    return groups.stream().filter(group -> group.slot() != one.slot()).toList();
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
    return DecisionReply.of(group.charges(), router.call(group, () -> commands.peek(group), due))
        .verdicts();
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
