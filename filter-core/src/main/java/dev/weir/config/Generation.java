package dev.weir.config;

import dev.weir.LimitStore;
import dev.weir.WaitQueues;
import dev.weir.config.internal.document.Redacted;
import dev.weir.config.internal.read.ReferenceReader;
import dev.weir.config.internal.read.Settings;
import dev.weir.http.OverloadGate;
import dev.weir.http.RequestLimiter;
import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.http.internal.check.JointCharges;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A configuration that decides requests until a reload replaces it. Only {@link #bind} changes it.
 * Thread-safe.
 */
final class Generation {

  private static final String ANNOTATION = "annotation";

  private final Settings settings;
  private final ReferenceReader references;
  private final Map<RuleReference, Optional<Rule>> bound = new ConcurrentHashMap<>();
  private final CostIndex costIndex = new CostIndex();
  private final RequestLimiter limiter;

  Generation(
      Settings settings,
      Environment environment,
      LimitStore store,
      WaitQueues waitQueues,
      OverloadGate gate,
      RuleListener listener) {
    this.settings = settings;
    this.references =
        new ReferenceReader(settings, environment.variables(), environment.classLoader());
    JointCharges.dearestFirst(settings.rules()).forEach(costIndex::add);
    this.limiter =
        new RequestLimiter(
            settings.rules(),
            store,
            waitQueues,
            new RequestLimiter.Settings(
                settings.clientAddress(), settings.responses(), settings.deadline(), listener),
            gate,
            settings.overload());
  }

  Settings settings() {
    return settings;
  }

  CostIndex costIndex() {
    return costIndex;
  }

  RequestLimiter limiter() {
    return limiter;
  }

  /**
   * Finds or makes the rule. It returns the same object for the same reference, because a rule
   * charges a request once.
   *
   * @return empty when the rule is disabled
   * @throws ConfigurationException when the reference cannot be bound
   */
  Optional<Rule> bind(RuleReference reference) {
    Optional<Rule> rule = bound.computeIfAbsent(reference, references::read);
    rule.ifPresent(costIndex::add);
    return rule;
  }

  /**
   * Returns the bound rule, or an empty list if that rule is disabled. The result is empty if the
   * reference was not bound here.
   */
  Optional<List<Rule>> bound(RuleReference reference) {
    return Optional.ofNullable(bound.get(reference)).map(rule -> rule.stream().toList());
  }

  Set<RuleReference> references() {
    return Set.copyOf(bound.keySet());
  }

  /**
   * Binds everything that was bound in the previous generation.
   *
   * @param checks each throws an IllegalStateException for a rule that its adapter cannot apply
   * @throws ConfigurationException with every rule that cannot be bound, or cannot be applied where
   *     it is bound
   */
  void succeed(Generation before, List<Consumer<Rule>> checks) {
    List<Problem> problems = new ArrayList<>();
    settings.rules().forEach(rule -> check(rule, checks, problems));
    for (RuleReference reference : before.references()) {
      try {
        bind(reference)
            .ifPresent(
                rule -> {
                  check(rule, checks, problems);
                  refuseUsersAnew(rule, reference, before, problems);
                });
      } catch (ConfigurationException unbound) {
        problems.addAll(unbound.problems());
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems.stream().distinct().toList());
    }
  }

  private void check(Rule rule, List<Consumer<Rule>> checks, List<Problem> problems) {
    for (Consumer<Rule> check : checks) {
      try {
        check.accept(rule);
      } catch (IllegalStateException refused) {
        String why = String.valueOf(refused.getMessage());
        problems.add(problem("rules", why, "rules that work where they are"));
      }
    }
  }

  /**
   * Refuses a rule that newly needs the user. Whether an annotation's rules are decided before or
   * after the user is known is fixed at the start.
   */
  private void refuseUsersAnew(
      Rule rule, RuleReference reference, Generation before, List<Problem> problems) {
    boolean waited =
        before.bound(reference).stream().flatMap(List::stream).anyMatch(Rule::needsUser);
    if (rule.needsUser() && !waited) {
      problems.add(
          problem(
              ANNOTATION,
              "rule " + Redacted.quoted(rule.name()) + " at " + reference.place() + ", by user now",
              "a subject that needs no user, as when the application started, or a restart"));
    }
  }

  private Problem problem(String field, String found, String expected) {
    return new Problem(settings.name(), 0, 0, field, found, expected, Optional.empty());
  }

  /** Returns the advice about a rule that only an annotation has made. */
  List<String> advice(Rule made) {
    if (settings.rules().contains(made)) {
      return List.of();
    }
    List<Rule> all = new ArrayList<>(settings.rules());
    all.add(made);
    List<String> given = settings.advice();
    return settings.advice(all).stream().filter(advice -> !given.contains(advice)).toList();
  }
}
