package dev.weir.http.internal.check;

import dev.weir.http.Overload;
import dev.weir.http.Rule;
import dev.weir.http.internal.match.PatternParser;
import dev.weir.http.internal.match.RequestPattern;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Advice about patterns that are legal, but probably match no request. */
public final class PatternAdvice {

  /** The path to which forms of a container's own login are posted, in every application. */
  private static final String CONTAINER_LOGIN = "j_security_check";

  private PatternAdvice() {}

  /**
   * Returns one line for each rule for the form login of a container. The container answers that
   * login before it calls any filter of the application. So such a rule of the application limits
   * nothing.
   */
  public static List<String> ofContainerLogin(List<Rule> rules) {
    return rules.stream()
        .flatMap(
            rule ->
                rule.match().stream()
                    .flatMap(matcher -> PatternParser.match(matcher).stream())
                    .filter(pattern -> pattern.endsIn(CONTAINER_LOGIN))
                    .limit(1)
                    .map(
                        pattern ->
                            "rule '%s' matches '%s', but a container answers its own form login before any filter runs: such requests are not counted. Tomcat counts them with RateLimitValve"
                                .formatted(rule.name(), pattern.text())))
        .toList();
  }

  /** Returns one line for each pattern that looks like the syntax of other software. */
  public static List<String> of(List<Rule> rules) {
    return lines(rules, PatternAdvice::foreign);
  }

  /** Returns one line for each pattern that begins with this path of the web application. */
  public static List<String> of(List<Rule> rules, String contextPath) {
    return lines(rules, pattern -> withContext(pattern, contextPath));
  }

  /** Returns the same for the exceptions from overload control. */
  public static List<String> of(Overload overload, String contextPath) {
    Stream<RequestPattern> patterns = PatternParser.except(overload.shed()).stream();
    return lines("overload: except", patterns, pattern -> withContext(pattern, contextPath))
        .toList();
  }

  private static List<String> lines(
      List<Rule> rules, Function<RequestPattern, Optional<String>> advice) {
    return rules.stream()
        .flatMap(rule -> lines("rule '" + rule.name() + "'", PatternParser.all(rule), advice))
        .toList();
  }

  private static Stream<String> lines(
      String place,
      Stream<RequestPattern> patterns,
      Function<RequestPattern, Optional<String>> advice) {
    return patterns.flatMap(
        pattern ->
            advice.apply(pattern).stream()
                .map(what -> "%s: '%s' %s".formatted(place, pattern.text(), what)));
  }

  private static Optional<String> foreign(RequestPattern pattern) {
    for (String segment : pattern.template().split("/", -1)) { // '%2C' is meant as it is
      if (segment.startsWith(":") && segment.length() > 1) {
        return Optional.of(
            "matches the text '%s' alone: write '{%s}' for a segment that varies"
                .formatted(segment, segment.substring(1)));
      }
      if (segment.indexOf(',') >= 0) {
        return Optional.of(
            "matches paths with a comma alone: write a list for several patterns, as in [/a, /b]");
      }
    }
    return Optional.empty();
  }

  private static Optional<String> withContext(RequestPattern pattern, String contextPath) {
    List<String> context =
        Stream.of(contextPath.split("/", -1)).filter(name -> !name.isEmpty()).toList();
    List<String> segments = pattern.segments();
    boolean begins =
        !context.isEmpty()
            && segments.size() >= context.size()
            && segments.subList(0, context.size()).equals(context);
    return begins
        ? Optional.of(
            "begins with the context path of this application, and paths are matched within it: leave out '%s', unless there is '%s%s'"
                .formatted(contextPath, contextPath, contextPath))
        : Optional.empty();
  }
}
