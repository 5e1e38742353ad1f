package dev.weir.redis;

import dev.weir.Ask;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.Terms;
import dev.weir.Verdict;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Decides asks: in one call where all keys are of one group, else one group after the other. When a
 * later one denies, what was granted is given back by now, and the other groups tell how they stand
 * without it.
 */
final class Decider {

  private final Trips trips;
  private final Refunds refunds;

  /**
   * @param refunds for what no time is left for
   */
  Decider(Trips trips, Refunds refunds) {
    this.trips = trips;
    this.refunds = refunds;
  }

  Decision decide(Ask ask) throws StoreUnavailableException {
    Collection<Group> groups = trips.groups(ask.charges());
    if (ask.terms() instanceof Terms.Peek) {
      return uncharged(look(groups, ask.deadline()), ask);
    }
    if (ask.terms() instanceof Terms.Leased leased) {
      return trips.lease(groups.iterator().next(), leased.settled(), ask.deadline());
    }
    return groups.size() == 1
        ? decideAtOnce(ask, groups.iterator().next())
        : decideInTurn(ask, groups);
  }

  private Decision decideAtOnce(Ask ask, Group group) throws StoreUnavailableException {
    Answer answer = answer(ask, group);
    return Decision.counted(
        Source.REDIS,
        answer.verdicts(),
        new Receipt(Source.REDIS, answer.grants()),
        answer.delay());
  }

  private Answer answer(Ask ask, Group group) throws StoreUnavailableException {
    if (ask.terms() instanceof Terms.UpTo) {
      return trips.askUpTo(group, ask.deadline());
    }
    if (ask.terms() instanceof Terms.Within within) {
      return trips.askWithin(group, within.maxWait(), ask.deadline());
    }
    return trips.ask(group, ask.deadline());
  }

  private Decision decideInTurn(Ask ask, Collection<Group> groups)
      throws StoreUnavailableException {
    trips.requireHealthy(groups);
    List<Verdict> verdicts = new ArrayList<>();
    List<Grant> grants = new ArrayList<>();
    for (Group group : groups) {
      Answer answer = askOrGiveBack(ask, group, grants);
      if (!answer.fits()) {
        giveBack(grants, ask.deadline());
        return denial(answer, allBut(group, groups), ask);
      }
      verdicts.addAll(answer.verdicts());
      grants.addAll(answer.grants());
    }
    return Decision.counted(
        Source.REDIS, inOrder(verdicts, ask), new Receipt(Source.REDIS, grants));
  }

  private Answer askOrGiveBack(Ask ask, Group group, List<Grant> granted)
      throws StoreUnavailableException {
    try {
      return answer(ask, group);
    } catch (StoreUnavailableException e) {
      refunds.add(granted); // no time is left for it now
      throw e;
    }
  }

  /** What is consumed must not be given back twice; what is held may be released again. */
  private void giveBack(List<Grant> grants, Deadline due) {
    try {
      trips.giveBack(grants, due);
    } catch (StoreUnavailableException lost) {
      refunds.addHeld(grants);
    }
  }

  private static List<Group> allBut(Group one, Collection<Group> groups) {
    return groups.stream().filter(group -> group.id() != one.id()).toList();
  }

  /** It stands, whoever else is silent. */
  private Decision denial(Answer denied, List<Group> others, Ask ask) {
    List<Verdict> verdicts = new ArrayList<>(denied.verdicts());
    for (Group other : others) {
      try {
        verdicts.addAll(trips.look(other, ask.deadline()));
      } catch (StoreUnavailableException silent) {
        // how that one stands is not known
      }
    }
    return uncharged(verdicts, ask);
  }

  private List<Verdict> look(Collection<Group> groups, Deadline due)
      throws StoreUnavailableException {
    List<Verdict> verdicts = new ArrayList<>();
    for (Group group : groups) {
      verdicts.addAll(trips.look(group, due));
    }
    return verdicts;
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
