package dev.weir.http.internal.check;

import static java.util.Collections.newSetFromMap;

import dev.weir.http.Cost;
import dev.weir.http.NamedLimit;
import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.http.internal.match.RequestPattern;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The charges of several rules to one counter of a limit for one request. They form one sum, which
 * is granted whole or not at all.
 *
 * <p>Rules charge one counter if they name one limit, count by the same subject, and match the same
 * request. Their patterns, compared in pairs, determine whether they do. A rule without patterns
 * may apply wherever other rules match. Two rules are also matched by the same request if one
 * annotated element leads to both.
 *
 * <p>The most expensive set of rules that all match together takes exponential time to find. The
 * time doubles with each few rules. So the sum is bounded from above. Rules form groups in which no
 * two match the same request. A request is charged by at most one rule of each group.
 *
 * <p>Example: {@code GET /a} costs 1, {@code POST /a} costs 3, and {@code /**} costs 2. The first
 * two are one group, and the bound is 3 + 2. The bound is exact for most rules. An overestimate
 * makes a node's share larger, never too small for a request. Where a request would be denied, only
 * what certainly matches together counts. Adding a rule takes time in proportion to the number of
 * rules. Not thread-safe.
 */
public final class JointCharges {

  private static final Comparator<Rule> DEAREST_FIRST =
      Comparator.comparingLong((Rule rule) -> rule.cost().most()).reversed();

  private final AnnotatedRules annotated;
  private final List<Group> groups = new ArrayList<>();

  /**
   * @param annotated may change between calls; a rule that it has changed must be added again
   */
  public JointCharges(AnnotatedRules annotated) {
    this.annotated = annotated;
  }

  /** Rules of which no two charge the same request. */
  private final class Group {

    private final Set<Rule> rules = newSetFromMap(new IdentityHashMap<>());
    private long dearest;

    private boolean takes(Rule rule) {
      return rules.stream().noneMatch(member -> meet(member, rule, annotated));
    }

    private void add(Rule rule) {
      rules.add(rule);
      dearest = Math.max(dearest, rule.cost().most());
    }

    private void remove(Rule rule) {
      if (rules.remove(rule)) {
        dearest = rules.stream().mapToLong(member -> member.cost().most()).max().orElse(0);
      }
    }
  }

  /**
   * Adds a rule that charges the limit too. If it was added before, it moves to a group in which it
   * still meets no other.
   */
  public void add(Rule rule) {
    groups.forEach(group -> group.remove(rule));
    for (Group group : groups) {
      if (group.takes(rule)) {
        group.add(rule);
        return;
      }
    }
    Group own = new Group();
    own.add(rule);
    groups.add(own);
  }

  /** Returns the most that one request is charged to one counter, at least 1. */
  public long dearest() {
    return Math.max(1, groups.stream().mapToLong(group -> group.dearest).sum());
  }

  /** Returns the same for these rules. Only rules that charge the limit of this name count. */
  public static long dearest(String limit, List<Rule> rules, AnnotatedRules annotated) {
    JointCharges charges = new JointCharges(annotated);
    dearestFirst(charging(limit, rules)).forEach(charges::add);
    return charges.dearest();
  }

  /** Returns the rules in the order in which adding them keeps the bound low. */
  public static List<Rule> dearestFirst(List<Rule> rules) {
    return rules.stream().sorted(DEAREST_FIRST).toList();
  }

  private static List<Rule> charging(String limit, List<Rule> rules) {
    return rules.stream()
        .filter(rule -> rule.limits().stream().anyMatch(charged -> charged.name().equals(limit)))
        .toList();
  }

  /**
   * Rules that charge one counter of a limit for one request.
   *
   * @param rules in their order
   */
  record Joint(NamedLimit limit, List<Rule> rules) {

    /** Returns the most that a request is charged. */
    long cost() {
      return costOf(rules);
    }

    /** Returns whether every request is charged the same. */
    boolean isFixed() {
      return rules.stream().allMatch(rule -> rule.cost() instanceof Cost.Fixed);
    }
  }

  /**
   * Returns sets of rules that all match one request and together charge more than their limit ever
   * grants. For each limit this is the most expensive set that was found, not every such set.
   *
   * @param annotated the rules that certainly match together, whatever their patterns
   */
  static Stream<Joint> overcharging(List<Rule> rules, AnnotatedRules annotated) {
    return rules.stream()
        .flatMap(rule -> rule.limits().stream())
        .distinct()
        .filter(limit -> dearest(limit.name(), rules, annotated) > limit.limit().capacity())
        .map(limit -> dearestFound(limit, charging(limit.name(), rules), annotated))
        .filter(joint -> joint.cost() > joint.limit().limit().capacity());
  }

  /**
   * Starts with each rule in turn, and adds the most expensive of those that match with all so far.
   */
  private static Joint dearestFound(NamedLimit limit, List<Rule> rules, AnnotatedRules annotated) {
    List<Rule> dearestFirst = dearestFirst(rules);
    List<BitSet> meeting =
        IntStream.range(0, rules.size())
            .mapToObj(rule -> meeting(rule, dearestFirst, annotated))
            .toList();
    Set<Rule> found = Set.of();
    long most = 0;
    for (int first = 0; first < meeting.size(); first++) {
      Set<Rule> next =
          meetingAll(first, meeting).stream()
              .mapToObj(dearestFirst::get)
              .collect(Collectors.toCollection(() -> newSetFromMap(new IdentityHashMap<>())));
      long cost = costOf(next);
      found = cost > most ? next : found;
      most = Math.max(most, cost);
    }
    return new Joint(limit, rules.stream().filter(found::contains).toList());
  }

  private static BitSet meeting(int rule, List<Rule> rules, AnnotatedRules annotated) {
    return IntStream.range(0, rules.size())
        .filter(other -> other != rule && meet(rules.get(other), rules.get(rule), annotated))
        .collect(BitSet::new, BitSet::set, BitSet::or);
  }

  private static BitSet meetingAll(int first, List<BitSet> meeting) {
    BitSet chosen = new BitSet();
    chosen.set(first);
    BitSet left = (BitSet) meeting.get(first).clone();
    for (int next = left.nextSetBit(0); next >= 0; next = left.nextSetBit(next + 1)) {
      chosen.set(next);
      left.and(meeting.get(next));
    }
    return chosen;
  }

  private static long costOf(Collection<Rule> rules) {
    return rules.stream().mapToLong(rule -> rule.cost().most()).sum();
  }

  /** Returns whether both rules may charge one counter for one request. */
  private static boolean meet(Rule one, Rule other, AnnotatedRules annotated) {
    return one.subject().hasPartsOf(other.subject())
        && (areDecidedTogether(one, other, annotated) || mayStandWhereOtherMatches(one, other));
  }

  /** Returns whether only one of them has patterns. The other may stand wherever they match. */
  private static boolean mayStandWhereOtherMatches(Rule one, Rule other) {
    return isAskedTogether(one, other) && one.match().isPresent() != other.match().isPresent();
  }

  /**
   * Returns whether one request can match both rules, by their patterns or at one annotated
   * element, so that one decision is made for both.
   */
  public static boolean areDecidedTogether(Rule one, Rule other, AnnotatedRules annotated) {
    return isAskedTogether(one, other)
        && (annotated.areOfOneElement(one, other) || meetByPattern(one, other));
  }

  private static boolean meetByPattern(Rule one, Rule other) {
    return one.match().isPresent()
        && other.match().isPresent()
        && meet(one.match().get(), other.match().get());
  }

  /**
   * Returns whether the charges form one sum. The charges of other rules may both be granted where
   * their sum would not.
   */
  private static boolean isAskedTogether(Rule one, Rule other) {
    return one.rejects() == other.rejects() && !one.isShadow() && !other.isShadow();
  }

  private static boolean meet(RequestMatcher one, RequestMatcher other) {
    return one.match().stream()
        .anyMatch(
            mine ->
                other.match().stream()
                    .anyMatch(
                        theirs ->
                            mine.meets(theirs)
                                && !isExcepted(mine, other)
                                && !isExcepted(theirs, one)));
  }

  private static boolean isExcepted(RequestPattern pattern, RequestMatcher matcher) {
    return matcher.except().stream().anyMatch(hole -> hole.covers(pattern));
  }
}
