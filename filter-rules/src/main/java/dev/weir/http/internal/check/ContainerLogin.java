package dev.weir.http.internal.check;

import dev.weir.http.Rule;
import dev.weir.http.internal.match.PatternParser;
import java.util.ArrayList;
import java.util.List;

/**
 * Advice about rules for the form login of a container. The container answers that login before it
 * calls any filter of the application. So such a rule of the application limits nothing.
 */
public final class ContainerLogin {

  /** The path to which forms of the container's own login are posted, in every application. */
  private static final String PATH = "j_security_check";

  private ContainerLogin() {}

  /** Returns one line for each rule with such a pattern. */
  public static List<String> advice(List<Rule> rules) {
    List<String> advice = new ArrayList<>();
    for (Rule rule : rules) {
      rule.match().stream()
          .flatMap(matcher -> PatternParser.match(matcher).stream())
          .filter(pattern -> pattern.endsIn(PATH))
          .findFirst()
          .map(
              pattern ->
                  "rule '%s' matches '%s', but a container answers its own form login before any filter runs: such requests are not counted. Tomcat counts them with RateLimitValve"
                      .formatted(rule.name(), pattern.text()))
          .ifPresent(advice::add);
    }
    return advice;
  }
}
