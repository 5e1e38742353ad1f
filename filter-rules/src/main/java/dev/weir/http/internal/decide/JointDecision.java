package dev.weir.http.internal.decide;

import dev.weir.http.RequestCounts.Reason;
import dev.weir.http.Rule;
import dev.weir.http.internal.report.Denial;
import dev.weir.internal.permit.Permits;
import dev.weir.limit.Concurrency;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.SubjectTags;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One decision about a request, for rules that were decided together.
 *
 * @param charged what each of them charges; empty when that is unknown, and nothing was charged
 * @param allowed whether the request may pass
 * @param decision of the store, or of the outage policy; null where the rules decide without
 *     counting
 * @param hold the permits that are kept until the response has ended, if there are any
 */
public record JointDecision(
    List<Rule> rules,
    List<RuleCharges> charged,
    boolean allowed,
    @Nullable Decision decision,
    Optional<Permits> hold) {

  /** The retry-after of a denial when nothing better is known. */
  public static final Duration SOON = Duration.ofSeconds(1);

  /** Returns a decision about the client itself. It needs no store, and waiting changes nothing. */
  public static JointDecision byRules(List<Rule> rules, boolean allowed) {
    return new JointDecision(rules, List.of(), allowed, null, Optional.empty());
  }

  /** Returns the decision of the strictest outage policy, because nothing could be counted. */
  public static JointDecision undecided(List<Rule> rules) {
    return of(rules, List.of(), Decision.uncounted(strictest(rules), SOON));
  }

  /** Returns the strictest of the outage policies of these rules. */
  static OnOutage strictest(List<Rule> rules) {
    OnOutage strictest = rules.get(0).onOutage();
    for (int i = 1; i < rules.size(); i++) {
      strictest = strictest.strictest(rules.get(i).onOutage());
    }
    return strictest;
  }

  /** Returns a decision that holds no permits. */
  static JointDecision of(List<Rule> rules, List<RuleCharges> charged, Decision decision) {
    return new JointDecision(rules, charged, decision.allowed(), decision, Optional.empty());
  }

  /** Returns a decision that may hold permits. */
  static JointDecision of(List<Rule> rules, List<RuleCharges> charged, Permits hold) {
    Decision decision = hold.decision();
    Optional<Permits> kept = Optional.of(hold).filter(permits -> !permits.isEmpty());
    return new JointDecision(rules, charged, decision.allowed(), decision, kept);
  }

  /** Returns the same without the counters of denials that are not blocked: they limit nothing. */
  public JointDecision withoutIdleBans() {
    if (counted().isEmpty()) {
      return this;
    }
    Decision.Counted counted = counted().get();
    List<Verdict> others =
        counted.verdicts().stream()
            .filter(it -> !it.fits() || charged.stream().noneMatch(one -> one.isBan(it.counter())))
            .toList();
    Decision without =
        Decision.counted(counted.source(), others, counted.receipt(), counted.delay());
    return new JointDecision(rules, charged, allowed, without, hold);
  }

  /** Returns the first rule that has banned the subject of the request. Empty if none has. */
  public Optional<Rule> banning() {
    for (RuleCharges one : charged) {
      if (one.hasBans()
          && verdicts().stream().anyMatch(it -> !it.fits() && one.isBan(it.counter()))) {
        return Optional.of(one.rule());
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the one rule to which a denial is attributed. It is the first rule that has banned the
   * subject, or else the first with the limit that binds. If nothing was counted, it is the first
   * rule with the strictest outage policy.
   */
  public Rule denying() {
    Optional<Decision.Counted> counted = counted();
    Optional<Rule> banning = banning();
    if (banning.isPresent()) {
      return banning.get();
    }
    if (counted.isPresent()) {
      Counter binding = counted.get().binding().counter();
      for (RuleCharges one : charged) {
        if (one.permitsOf(binding) > 0) {
          return one.rule();
        }
      }
    }
    OnOutage strictest = strictest(rules);
    return rules.stream().filter(rule -> rule.onOutage() == strictest).findFirst().orElseThrow();
  }

  /**
   * Returns what operators see of this denial. Its limit is that of the ban, or else the one that
   * binds.
   */
  public Denial denial(SubjectTags tags) {
    Rule rule = denying();
    if (counted().isEmpty()) {
      Reason reason = decision == null ? Reason.LIST : Reason.UNAVAILABLE;
      return new Denial(rule, Denial.NONE, reason, source(), tagOf(rule, tags));
    }
    Verdict verdict = denyingVerdict(counted().get());
    Counter counter = verdict.counter();
    return new Denial(rule, counter.name(), reason(verdict), source(), tags.of(counter.subject()));
  }

  private Verdict denyingVerdict(Decision.Counted counted) {
    for (RuleCharges one : charged) {
      if (one.hasBans()) {
        for (Verdict verdict : counted.verdicts()) {
          if (!verdict.fits() && one.isBan(verdict.counter())) {
            return verdict;
          }
        }
      }
    }
    return counted.binding();
  }

  private static Reason reason(Verdict denying) {
    if (denying.blockedFor().isPresent()) {
      return Reason.BLOCKED;
    }
    if (denying.retry() instanceof Retry.Never) {
      return Reason.NEVER;
    }
    return denying.counter().limit() instanceof Concurrency ? Reason.CAPACITY : Reason.EXHAUSTED;
  }

  private Optional<Source> source() {
    return Optional.ofNullable(decision).map(Decision::source);
  }

  /** Returns the tag of the first subject that the rule charges, if that is known. */
  private String tagOf(Rule rule, SubjectTags tags) {
    return charged.stream()
        .filter(one -> one.rule().equals(rule))
        .findFirst()
        .map(one -> tags.of(one.charges().get(0).counter().subject()))
        .orElse(Denial.NONE);
  }

  /** Returns how many permits of this counter were requested. */
  public long permitsOf(Counter counter) {
    return charged.stream().mapToLong(one -> one.permitsOf(counter)).sum();
  }

  /** Returns what was charged: nothing if the request was denied, or if it could not be counted. */
  Decision.Receipt receipt() {
    return decision instanceof Decision.Counted counted
        ? counted.receipt()
        : Decision.Receipt.nothing(Source.LOCAL);
  }

  /** Returns the states of its counters. None if nothing was counted. */
  public List<Verdict> verdicts() {
    return decision instanceof Decision.Counted counted ? counted.verdicts() : List.of();
  }

  /** Returns the decision if it was made by counting. */
  public Optional<Decision.Counted> counted() {
    return decision instanceof Decision.Counted counted ? Optional.of(counted) : Optional.empty();
  }
}
