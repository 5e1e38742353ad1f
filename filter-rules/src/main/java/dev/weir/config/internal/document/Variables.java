package dev.weir.config.internal.document;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The process environment, environment variables and system properties, and references to it. */
public record Variables(
    Function<String, Optional<String>> variable, Function<String, Optional<String>> property) {

  public static final Variables SYSTEM =
      new Variables(
          name -> Optional.ofNullable(System.getenv(name)),
          name -> Optional.ofNullable(System.getProperty(name)));

  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\{(?<name>[A-Za-z_][A-Za-z0-9_.]*)(:-(?<default>[^}]*))?}");

  /**
   * Replaces <code>${NAME}</code> and <code>${NAME:-default}</code> in a scalar. A variable hides
   * the property of its name. As in a shell, the default replaces an unset or empty variable, and
   * the result is not substituted again. <code>$${</code> is a literal <code>${</code>.
   * Substitution works on scalars after parsing, so a value cannot add structure.
   *
   * @param isAssumed whether this reference to an unset variable is no problem: the result is then
   *     empty
   * @param problem receives what was found and what is expected, if the result is empty. It
   *     contains no text outside the reference, since that may be a secret
   */
  Optional<String> substituted(
      String written, Predicate<String> isAssumed, BiConsumer<String, String> problem) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    for (int next = written.indexOf("${"); next >= 0; next = written.indexOf("${", at)) {
      if (next > at && written.charAt(next - 1) == '$') {
        text.append(written, at, next - 1).append("${");
        at = next + 2;
        continue;
      }
      Matcher reference = REFERENCE.matcher(written).region(next, written.length());
      if (!reference.lookingAt()) {
        problem.accept(
            "a '${' that begins no reference", "${NAME} or ${NAME:-default}, or $${ for the text");
        return Optional.empty();
      }
      String name = reference.group("name");
      String otherwise = reference.group("default");
      Optional<String> value =
          variable
              .apply(name)
              .or(() -> property.apply(name))
              .filter(set -> otherwise == null || !set.isEmpty())
              .or(() -> Optional.ofNullable(otherwise));
      if (value.isEmpty() && isAssumed.test(reference.group())) {
        return Optional.empty();
      }
      if (value.isEmpty()) {
        problem.accept(
            reference.group() + ", which is not set",
            "a variable of the environment or a system property, or a default: ${%s:-default}"
                .formatted(name));
        return Optional.empty();
      }
      text.append(written, at, next).append(value.get());
      at = reference.end();
    }
    return Optional.of(text.append(written, at, written.length()).toString());
  }
}
