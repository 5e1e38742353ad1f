package dev.weir.http.internal.check;

import dev.weir.http.Cost;
import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.http.internal.match.PatternParser;
import dev.weir.http.internal.match.RequestPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Advice about a set of rules: what is legal in them, but deserves a warning at startup. */
public final class RuleAdvice {

  private static final RequestPattern ALL = PatternParser.parse("match", "/**");

  private RuleAdvice() {}

  /**
   * Returns one line for each warning. Empty when there are none.
   *
   * <p>A rule may count by a value that clients choose freely, such as a header. Then each new
   * value creates a new bucket. The rule limits honest clients only, unless another rule counts the
   * same requests by {@code ip}, {@code global} or their route. If the rule is bound by
   * annotations, the other rule must match all paths.
   *
   * <p>A pattern may be written as other software writes it, and then match no request.
   */
  public static List<String> of(List<Rule> rules) {
    List<String> advice = new ArrayList<>(PatternAdvice.of(rules));
    List<Guard> guards =
        rules.stream()
            .filter(other -> other.rejects() && !other.limits().isEmpty())
            .filter(other -> !other.subject().needsCredentials())
            .filter(other -> !other.subject().isMintedByClients())
            .flatMap(
                other -> other.match().stream().map(matcher -> Guard.of(matcher, other.when())))
            .toList();
    for (Rule rule : rules) {
      if (rule.subject().isMintedByClients()) {
        unguarded(rule, guards.stream().filter(guard -> guard.isThereFor(rule)).toList())
            .map(
                what ->
                    "rule '%s' counts by %s, which clients choose freely, and no rule by ip or global counts %s too: each new value is a new bucket"
                        .formatted(rule.name(), rule.subject(), what))
            .ifPresent(advice::add);
      }
      if (rule.cost() instanceof Cost.OfRequest cost) {
        ofUnknownLengths(rule, cost).ifPresent(advice::add);
      }
    }
    return List.copyOf(advice);
  }

  /** Returns a line if a rule by request bytes matches GET, of which a length is never known. */
  private static Optional<String> ofUnknownLengths(Rule rule, Cost.OfRequest cost) {
    return rule.match().stream()
        .flatMap(matcher -> PatternParser.match(matcher).stream())
        .filter(pattern -> pattern.methods().isEmpty() || pattern.methods().contains("GET"))
        .findFirst()
        .map(
            pattern ->
                "rule '%s' costs the bytes of its request, and '%s' matches GET: over HTTP/2, each GET costs %d, for it may have a body of unknown length; name the methods that have one, as in 'POST /files/**'"
                    .formatted(rule.name(), pattern.text(), cost.most()));
  }

  /** What a rule counts at its times that no client can evade by choosing its subject. */
  private record Guard(
      List<RequestPattern> match, List<RequestPattern> except, List<String> times) {

    static Guard of(RequestMatcher matcher, List<String> times) {
      return new Guard(PatternParser.match(matcher), PatternParser.except(matcher), times);
    }

    /** A guard by times holds only for rules of the same times. */
    boolean isThereFor(Rule rule) {
      return times.isEmpty() || times.equals(rule.when());
    }

    boolean covers(RequestPattern pattern) {
      return match.stream().anyMatch(wide -> wide.covers(pattern))
          && except.stream().noneMatch(exception -> exception.meets(pattern));
    }
  }

  /** Returns what only this rule counts. */
  private static Optional<String> unguarded(Rule rule, List<Guard> guards) {
    if (rule.match().isEmpty()) {
      return guards.stream().flatMap(guard -> guard.match().stream()).anyMatch(it -> it.covers(ALL))
          ? Optional.empty()
          : Optional.of("what it is bound to");
    }
    return PatternParser.match(rule.match().get()).stream()
        .filter(pattern -> guards.stream().noneMatch(guard -> guard.covers(pattern)))
        .findFirst()
        .map(pattern -> "'" + pattern.text() + "'");
  }
}
