package dev.weir.config.internal.read;

import dev.weir.http.Cost;
import dev.weir.http.Rule;
import dev.weir.http.internal.check.RuleAdvice;
import dev.weir.http.internal.check.RuleChecks;
import dev.weir.redis.RedisOptions;
import dev.weir.store.OnOutage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Advice about a configuration that is valid, but may not do what its owner expects. */
public final class Advice {

  private static final String NODES =
      "'nodes' is not set: a node that starts while Redis is out grants the whole of each limit by"
          + " itself; set it to the number of nodes, 1 if there is only one";

  private static final String NO_RULE =
      "there are limits and no rule, so nothing is limited: add a rule, such as 'rules: [{ name: all, match: /**, limits: [NAME] }]'";

  private static final String NO_SECRET =
      "'redis' has no 'secret': those who can read this Redis can guess the counted addresses and users by their digests; if these are not only you, set one, the same on all nodes";

  private Advice() {}

  /**
   * Returns warnings about these rules, some of which annotations may have made.
   *
   * @param ofOneElement those that match together, whatever their patterns, since one annotated
   *     element leads to all of them
   */
  public static List<String> of(Settings settings, List<Rule> rules, List<Rule> ofOneElement) {
    List<String> advice = new ArrayList<>(RuleAdvice.of(rules));
    Settings.Counting counting = settings.counting();
    List<Rule> inProcess =
        rules.stream()
            .filter(rule -> counting.redis().isEmpty() || rule.onOutage() == OnOutage.LOCAL)
            .toList();
    // no node's share is smaller than 1, so nodes that each limit by themselves exceed these
    int nodes = counting.nodes();
    inProcess.stream()
        .flatMap(rule -> rule.limits().stream())
        .distinct()
        .filter(limit -> limit.limit().capacity() < nodes)
        .map(
            limit ->
                "limit '%s' grants %d at most, but each of %d nodes that limit by themselves grants 1 or more: together they grant more than the limit"
                    .formatted(limit.name(), limit.limit().capacity(), nodes))
        .forEach(advice::add);
    List<String> wide = settings.requests().clientAddress().wideProxies();
    if (!wide.isEmpty()) {
      advice.add(
          "'trusted-proxies' has %s, far more addresses than proxies have: each of them can choose the address by which it is counted. List the networks of your proxies alone"
              .formatted(String.join(", ", wide)));
    }
    rules.forEach(rule -> ofBytes(rule, settings.limits().inBytes()).ifPresent(advice::add));
    boolean areForAnnotations =
        settings.rules().enabled().isEmpty()
            && !settings.limits().byName().isEmpty()
            && settings.rules().onOutage() == OnOutage.LOCAL;
    if (counting.redis().isPresent()
        && counting.configuredNodes().isEmpty()
        && (!inProcess.isEmpty() || areForAnnotations)) {
      advice.add(NODES);
    }
    if (counting.redis().isPresent()) {
      rules.forEach(rule -> overruled(rule, rules, ofOneElement).ifPresent(advice::add));
    }
    return advice;
  }

  /** Returns a line if a rule allows during an outage, and a stricter rule decides with it. */
  private static Optional<String> overruled(
      Rule allowing, List<Rule> rules, List<Rule> ofOneElement) {
    if (allowing.onOutage() != OnOutage.ALLOW) {
      return Optional.empty();
    }
    return rules.stream()
        .filter(rule -> rule.onOutage() != OnOutage.ALLOW && !rule.limits().isEmpty())
        .filter(
            rule ->
                ofOneElement.containsAll(List.of(allowing, rule))
                    ? RuleChecks.areDecidedAlike(allowing, rule)
                    : RuleChecks.areDecidedTogether(allowing, rule))
        .findFirst()
        .map(
            stricter ->
                "rule '%s' has 'on-outage: allow', but rule '%s' with 'on-outage: %s' matches some of the same requests: during an outage, the stricter rule decides about those"
                    .formatted(allowing.name(), stricter.name(), stricter.onOutage()));
  }

  /** Returns a line if a rule by bytes charges a limit that is not written in bytes. */
  private static Optional<String> ofBytes(Rule rule, Set<String> inBytes) {
    return rule.limits().stream()
        .filter(limit -> rule.cost().isInBytes())
        .filter(limit -> !inBytes.contains(limit.name()))
        .findFirst()
        .map(
            limit ->
                "rule '%s' costs the bytes of its %s, and limit '%s' is not written in bytes: it grants %d bytes at once; write it as a size, such as '100 MB per minute'"
                    .formatted(
                        rule.name(),
                        rule.cost() instanceof Cost.OfRequest ? "request" : "response",
                        limit.name(),
                        limit.limit().capacity()));
  }

  /**
   * Returns one line for each rule that is for annotations, or one line where there is no rule for
   * the limits. The application has no annotations.
   */
  public static List<String> ofUnusableRules(List<Rule> rules, Collection<Rule.NamedLimit> limits) {
    if (rules.isEmpty()) {
      return limits.isEmpty() ? List.of() : List.of(NO_RULE);
    }
    return rules.stream()
        .filter(rule -> rule.match().isEmpty())
        .map(
            rule ->
                "rule '%s' has no pattern to match and is for annotations, but there is no @RateLimited in this application: it limits nothing"
                    .formatted(rule.name()))
        .toList();
  }

  /**
   * Returns notes about what may be intended: limits and rules that no pattern uses, and digests
   * without a secret.
   *
   * @param mayBeAnnotated whether the application may have annotations
   */
  static List<String> notes(
      Collection<String> unusedLimits,
      List<Rule> rules,
      Optional<RedisOptions> redis,
      boolean mayBeAnnotated) {
    List<String> notes = new ArrayList<>();
    if (redis.filter(options -> !options.hasSecret()).isPresent()
        && rules.stream().anyMatch(rule -> hasShortValues(rule))) {
      notes.add(NO_SECRET);
    }
    if (mayBeAnnotated) {
      List<String> unmatched =
          rules.stream().filter(rule -> rule.match().isEmpty()).map(Rule::name).toList();
      noteForAnnotations("unused limits", unusedLimits, notes);
      noteForAnnotations("rules for annotations", unmatched, notes);
    } else if (!unusedLimits.isEmpty()) {
      notes.add("no rule uses " + String.join(", ", unusedLimits) + ": nothing is limited by it");
    } else if (rules.isEmpty()) {
      notes.add("there is no rule: nothing is limited");
    }
    return notes;
  }

  /** Returns whether addresses or names of users are counted. A digest of these can be guessed. */
  private static boolean hasShortValues(Rule rule) {
    return rule.subject().needsAddress() || rule.subject().needsUser();
  }

  private static void noteForAnnotations(
      String what, Collection<String> names, List<String> notes) {
    if (!names.isEmpty()) {
      notes.add(
          what + ", " + String.join(", ", names) + ": they apply where @RateLimited names them");
    }
  }

  /** Returns whether the application can load the annotation, and so may use it. */
  public static boolean hasAnnotation(ClassLoader application) {
    return application.getResource("dev/weir/jaxrs/RateLimited.class") != null;
  }
}
