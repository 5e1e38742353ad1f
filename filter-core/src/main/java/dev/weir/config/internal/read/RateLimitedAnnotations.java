package dev.weir.config.internal.read;

import dev.weir.http.Rule;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Rules that only annotations use, in an application that may have no annotations. */
public final class RateLimitedAnnotations {

  /** The annotation's class file, from an optional module. */
  private static final String ANNOTATION = "dev/weir/jaxrs/RateLimited.class";

  private RateLimitedAnnotations() {}

  /** Returns whether the application can load the annotation, and so may use it. */
  static boolean areIn(ClassLoader application) {
    return application.getResource(ANNOTATION) != null;
  }

  /** Returns one line for each rule that no annotation can use. */
  public static List<String> advice(List<Rule> rules, ClassLoader application) {
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

  /**
   * Returns a note about limits and rules that only annotations use, if the application may have
   * annotations.
   */
  static List<String> notes(Collection<String> unusedLimits, List<Rule> rules) {
    List<String> unmatched =
        rules.stream().filter(rule -> rule.match().isEmpty()).map(Rule::name).toList();
    return Stream.of(note("unused limits", unusedLimits), note("rules for annotations", unmatched))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<String> note(String what, Collection<String> names) {
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            what + ", " + String.join(", ", names) + ": they apply where @RateLimited names them");
  }
}
