package dev.weir.config;

import dev.weir.config.ConfigurationException.Problem;
import dev.weir.config.internal.read.Advice;
import dev.weir.config.internal.read.ReferenceReader;
import dev.weir.config.internal.read.Settings;
import dev.weir.http.Rule;
import dev.weir.http.RuleLimiter;
import dev.weir.internal.Redaction;
import dev.weir.redis.RedisOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;

/**
 * A configuration that decides requests until a reload replaces it. Only {@link #bind} adds to it.
 * Thread-safe.
 *
 * @param references finds or makes the rules of annotations
 * @param bound the rule of each reference; none if it is disabled
 */
record Snapshot(
    Settings settings,
    WiredStores.StoreSettings storeSettings,
    RuleLimiter limiter,
    ReferenceReader references,
    ConcurrentMap<RuleReference, List<Rule>> bound) {

  private static final String RESTART = "what the application was started with, or a restart";

  /**
   * Finds or makes the rule. It returns the same object for the same reference, because a rule
   * charges a request once. The result is empty when the rule is disabled.
   *
   * @throws ConfigurationException when the reference cannot be bound
   */
  List<Rule> bind(RuleReference reference) {
    List<Rule> rules =
        bound.computeIfAbsent(reference, unbound -> references.read(unbound).stream().toList());
    rules.forEach(storeSettings::add);
    return rules;
  }

  /** Returns the rule of a reference. The result is empty if it was not bound here. */
  Optional<List<Rule>> bound(RuleReference reference) {
    return Optional.ofNullable(bound.get(reference));
  }

  /**
   * Returns the advice that this reference adds to that about the settings and about the other
   * references of its element.
   */
  List<String> advice(RuleReference reference) {
    List<Rule> together = new ArrayList<>();
    bound.keySet().stream()
        .filter(other -> other.origin().equals(reference.origin()) && !other.equals(reference))
        .sorted(Comparator.comparing(RuleReference::place))
        .forEach(other -> bound(other).ifPresent(together::addAll));
    List<Rule> added = bound(reference).orElse(List.of());
    if (together.isEmpty() && settings.rules().enabled().containsAll(added)) {
      return List.of();
    }
    List<String> given = adviceOfElement(together);
    together.addAll(added);
    return adviceOfElement(together).stream().filter(advice -> !given.contains(advice)).toList();
  }

  /** Returns the advice about the settings, and about these rules of one annotated element. */
  private List<String> adviceOfElement(List<Rule> rules) {
    List<Rule> all = new ArrayList<>(settings.rules().enabled());
    rules.stream().filter(rule -> !all.contains(rule)).distinct().forEach(all::add);
    return Advice.of(settings, all, rules);
  }

  /**
   * Checks the settings that a running engine cannot change: its connections, the names of its
   * keys, its listener.
   *
   * @throws ConfigurationException when any of these differs in the next configuration
   */
  void requireRestartFor(Settings next) {
    List<Problem> problems = new ArrayList<>();
    Optional<String> application = settings.counting().redis().map(RedisOptions::application);
    if (!application.equals(next.counting().redis().map(RedisOptions::application))
        && settings.counting().redis().isPresent() == next.counting().redis().isPresent()) {
      problems.add(problem(next, "application", "another name", RESTART));
    } else if (!settings.counting().redis().equals(next.counting().redis())) {
      problems.add(problem(next, "redis", "another one", RESTART));
    }
    if (!settings.counting().denyCache().equals(next.counting().denyCache())) {
      problems.add(problem(next, "redis.deny-cache", "another one", RESTART));
    }
    if (settings.requests().delays() != next.requests().delays()) {
      problems.add(problem(next, "delays", "another way", RESTART));
    }
    if (settings.counting().listener().getClass() != next.counting().listener().getClass()) {
      problems.add(problem(next, "listener", "another one", RESTART));
    }
    throwIfAny(problems);
  }

  /**
   * Binds everything that was bound in the previous snapshot.
   *
   * @param checks each throws an IllegalStateException for a rule that its adapter cannot apply
   * @throws ConfigurationException with every rule that cannot be bound, or cannot be applied where
   *     it is bound
   */
  void bindAllOf(Snapshot before, List<Consumer<Rule>> checks) {
    List<Problem> problems = new ArrayList<>();
    settings.rules().written().forEach(rule -> check(rule, checks, problems));
    for (RuleReference reference : List.copyOf(before.bound.keySet())) {
      try {
        for (Rule rule : bind(reference)) {
          check(rule, checks, problems);
          refuseNewUser(rule, reference, before, problems);
        }
      } catch (ConfigurationException unbound) {
        problems.addAll(unbound.problems());
      }
    }
    throwIfAny(problems.stream().distinct().toList());
  }

  private void check(Rule rule, List<Consumer<Rule>> checks, List<Problem> problems) {
    for (Consumer<Rule> check : checks) {
      try {
        check.accept(rule);
      } catch (IllegalStateException refused) {
        String why = String.valueOf(refused.getMessage());
        problems.add(problem(settings, "rules", why, "rules that work where they are"));
      }
    }
  }

  /**
   * Refuses a rule that newly needs the user. Whether an annotation's rules are decided before or
   * after the user is known is fixed at the start.
   */
  private void refuseNewUser(
      Rule rule, RuleReference reference, Snapshot before, List<Problem> problems) {
    boolean neededUser =
        before.bound(reference).stream().flatMap(List::stream).anyMatch(Rule::needsUser);
    if (rule.needsUser() && !neededUser) {
      problems.add(
          problem(
              settings,
              "annotation",
              "rule %s at %s, by user now"
                  .formatted(Redaction.quoted(rule.name()), reference.place()),
              "a subject that needs no user, as when the application started, or a restart"));
    }
  }

  private static Problem problem(Settings in, String field, String found, String expected) {
    return new Problem(in.name(), 0, 0, field, found, expected, Optional.empty());
  }

  private static void throwIfAny(List<Problem> problems) {
    if (!problems.isEmpty()) {
      throw new ConfigurationException(problems);
    }
  }

  /** Returns the name of its source. It is kept on requests, and containers print attributes. */
  @Override
  public String toString() {
    return settings.name();
  }
}
