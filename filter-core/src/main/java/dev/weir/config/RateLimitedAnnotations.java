package dev.weir.config;

import dev.weir.http.Rule;
import java.util.List;

/** Rules that only annotations use, in an application that may have none. */
final class RateLimitedAnnotations {

  /** Of a module that need not be there. */
  private static final String ANNOTATION = "dev/weir/jaxrs/RateLimited.class";

  private RateLimitedAnnotations() {}

  /** Whether the application can load the annotation, and so may use it. */
  static boolean areIn(ClassLoader application) {
    return application.getResource(ANNOTATION) != null;
  }

  /** One line for each rule that nothing can use. */
  static List<String> advice(List<Rule> rules, ClassLoader application) {
    if (areIn(application)) {
      return List.of();
    }
    return rules.stream()
        .filter(rule -> rule.match().isEmpty())
        .map(
            rule ->
                "rule '%s' has no pattern to match and is for annotations, but there is no @RateLimited in this application: it limits nothing"
                    .formatted(rule.name()))
        .toList();
  }
}
