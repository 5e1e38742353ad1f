package dev.weir.redis;

import dev.weir.Amendment;
import dev.weir.Charge;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.LeaseSettlement;
import dev.weir.Limit;
import dev.weir.Receipt.Grant;
import dev.weir.StoreUnavailableException;
import dev.weir.StoreUnavailableException.Kind;
import dev.weir.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.IntFunction;

/** Asks Redis: one call for each group of keys. */
final class Trips {

  private final RedisKeys keys;
  private final Questions questions;
  private final Topology topology;

  Trips(RedisKeys keys, Questions questions, Topology topology) {
    this.keys = keys;
    this.questions = questions;
    this.topology = topology;
  }

  /** What is asked for, each part with the id that it would be held by. */
  Collection<Group> groups(List<Charge> charges) {
    return Group.of(charges.stream().map(questions::asking).toList(), keys, topology);
  }

  /**
   * Makes all charges of a group, or none.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline
   */
  Answer ask(Group group, Deadline deadline) throws StoreUnavailableException {
    Script script =
        group.parts().size() == 1 ? Script.one(group.first().counter().limit()) : Script.ALL;
    return Answer.of(group.charges(), reply(script, group, deadline));
  }

  /**
   * Charges as many permits as there are of a group's only counter, up to what its charge says.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline
   */
  Answer askUpTo(Group group, Deadline deadline) throws StoreUnavailableException {
    List<Long> reply = reply(Script.UP_TO, group, deadline);
    long decided = reply.get(Answer.FIELDS);
    return Answer.of(List.of(new Charge(group.first().counter(), decided)), reply);
  }

  /**
   * Charges a group's only counter for a request that can wait so long.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline
   */
  Answer askWithin(Group group, Duration maxWait, Deadline deadline)
      throws StoreUnavailableException {
    Question patient =
        (part, arguments) ->
            questions.addPatient(
                limit(part), part.charge().permits(), part.stamp(), maxWait, arguments);
    return Answer.of(group.charges(), reply(Script.WITHIN, group, patient, deadline));
  }

  /**
   * Settles a lease of a group's only counter, and lends up to what its charge says.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline
   */
  Decision.Lent lease(Group group, LeaseSettlement settled, Deadline deadline)
      throws StoreUnavailableException {
    Question settling =
        (part, arguments) ->
            questions.addLease(limit(part), part.charge().permits(), settled, arguments);
    return Loan.of(group.first().counter(), reply(Script.LEASE, group, settling, deadline));
  }

  /**
   * How a group stands, and what it would answer; nothing is charged.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline
   */
  List<Verdict> look(Group group, Deadline deadline) throws StoreUnavailableException {
    return Answer.of(group.charges(), reply(Script.LOOK, group, deadline)).verdicts();
  }

  /** Adds the arguments that a part of a group comes with. */
  private interface Question {
    void add(Grant part, List<String> arguments);
  }

  private List<Long> reply(Script script, Group group, Deadline deadline)
      throws StoreUnavailableException {
    Question now =
        (part, arguments) ->
            questions.add(limit(part), part.charge().permits(), part.stamp(), arguments);
    return reply(script, group, now, deadline);
  }

  private void addStamped(Grant grant, List<String> arguments) {
    questions.addStamped(limit(grant), grant.charge().permits(), grant.stamp(), arguments);
  }

  private static Limit limit(Grant part) {
    return part.charge().counter().limit();
  }

  private List<Long> reply(Script script, Group group, Question question, Deadline deadline)
      throws StoreUnavailableException {
    List<Long> reply = decided(script, group, question, deadline);
    if (Answer.isOutside(reply)) {
      questions.serverTime(reply.get(1));
      reply = decided(script, group, question, deadline);
    }
    if (Answer.isOutside(reply)) {
      String why = "its clock moves faster than it can be asked";
      throw new StoreUnavailableException(
          "redis: " + why,
          Kind.FAILED,
          Duration.ofSeconds(1),
          new NotSentException(why, Kind.FAILED));
    }
    return reply;
  }

  /**
   * Refuses what cannot be decided as a whole, before any of it is charged.
   *
   * @throws StoreUnavailableException when the primary of one of these groups is known to be out
   */
  void requireHealthy(Collection<Group> groups) throws StoreUnavailableException {
    for (Group group : groups) {
      topology.requireHealthy(group.id());
    }
  }

  /**
   * Gives back what was granted, as much as can be.
   *
   * @return how many counters changed
   * @throws StoreUnavailableException when some of it could not be given back, or it is unknown
   *     whether it was
   */
  long giveBack(List<Grant> grants, Deadline deadline) throws StoreUnavailableException {
    return amend(Script.GIVE_BACK, grants, this::addStamped, groups -> deadline);
  }

  /**
   * Begins the leases of what is held anew, as many as can be.
   *
   * @param each what one group may take of the time, lest a silent primary has it all
   * @return whether all were; false when one had ended
   * @throws StoreUnavailableException when of some it is unknown
   */
  boolean renew(List<Grant> grants, Deadline deadline, Duration each)
      throws StoreUnavailableException {
    IntFunction<Deadline> part = groups -> part(deadline, groups, each);
    return amend(Script.RENEW, grants, this::addStamped, part) == grants.size();
  }

  /**
   * Settles what was granted with what was spent of each counter.
   *
   * @throws StoreUnavailableException as for {@link #giveBack}
   */
  void settle(List<Grant> grants, long spent, Deadline deadline) throws StoreUnavailableException {
    Question settled = (grant, arguments) -> questions.addSpent(grant, spent, arguments);
    amend(Script.SETTLE, grants, settled, groups -> deadline);
  }

  /** What the next of so many groups may take of the time that is left. */
  private static Deadline part(Deadline deadline, int groups, Duration most) {
    Duration part = Duration.ofNanos(Math.max(0, deadline.remainingNanos() / groups));
    return Deadline.after(part.compareTo(most) < 0 ? part : most);
  }

  /**
   * Returns how many counters it has changed.
   *
   * @param deadline of the next of so many groups
   */
  private long amend(
      Script script, List<Grant> grants, Question question, IntFunction<Deadline> deadline)
      throws StoreUnavailableException {
    long changes = 0;
    List<StoreUnavailableException> lost = new ArrayList<>();
    Collection<Group> groups = Group.of(grants, keys, topology);
    int left = groups.size();
    for (Group group : groups) {
      try {
        changes += reply(script, group, question, deadline.apply(left--)).get(0);
      } catch (StoreUnavailableException e) {
        lost.add(e); // the other groups' primaries may well answer
      }
    }
    if (!lost.isEmpty()) {
      throw lost.get(0);
    }
    return changes;
  }

  /** The same, where what cannot be given back is lost: it only under-admits. */
  void giveBackOrLose(List<Grant> grants, Deadline deadline) {
    try {
      giveBack(grants, deadline);
    } catch (StoreUnavailableException lost) {
      // it must not be given back twice
    }
  }

  /**
   * Makes a change to a counter.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline
   */
  void amend(Amendment.OfCounter amendment, Deadline deadline) throws StoreUnavailableException {
    String key = keys.key(amendment.counter());
    topology.call(topology.group(key), questions.amending(amendment, key), deadline);
  }

  private List<Long> decided(Script script, Group group, Question question, Deadline deadline)
      throws StoreUnavailableException {
    List<String> arguments = new ArrayList<>(1 + 8 * group.parts().size());
    arguments.add(questions.time());
    for (Grant part : group.parts()) {
      question.add(part, arguments);
    }
    int micros =
        group.parts().stream()
            .mapToInt(part -> Arithmetic.micros(limit(part), part.charge().permits()))
            .sum();
    List<Grant> asked = script.isCharging() ? List.copyOf(group.parts()) : List.of();
    ScriptCall call = new ScriptCall(script, group.keys(), arguments, micros, asked);
    return topology.call(group.id(), call, deadline);
  }
}
