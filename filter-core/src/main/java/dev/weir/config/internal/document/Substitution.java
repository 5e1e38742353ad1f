package dev.weir.config.internal.document;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces <code>${NAME}</code> and <code>${NAME:-default}</code> in a scalar. As in a shell, the
 * default replaces an unset or empty variable, and the result is not substituted again. <code>$${
 * </code> is a literal <code>${</code>. Substitution works on scalars after parsing, so a value
 * cannot add structure.
 */
public final class Substitution {

  private static final Pattern REFERENCE =
      Pattern.compile("\\$\\{(?<name>[A-Za-z_][A-Za-z0-9_.]*)(:-(?<default>[^}]*))?}");

  private final Variables variables;

  public Substitution(Variables variables) {
    this.variables = variables;
  }

  /** The result for a scalar: its text, or the problem with it. */
  sealed interface Result {

    record Text(String text) implements Result {}

    /** A problem. It contains no text outside the reference, since that may be a secret. */
    record Wrong(String found, String expected) implements Result {}
  }

  Result apply(String written) {
    StringBuilder text = new StringBuilder();
    int at = 0;
    for (int next = written.indexOf("${"); next >= 0; next = written.indexOf("${", at)) {
      if (isEscaped(written, at, next)) {
        text.append(written, at, next - 1).append("${");
        at = next + 2;
        continue;
      }
      Matcher reference = REFERENCE.matcher(written).region(next, written.length());
      if (!reference.lookingAt()) {
        return new Result.Wrong(
            "a '${' that begins no reference", "${NAME} or ${NAME:-default}, or $${ for the text");
      }
      Optional<String> value = value(reference);
      if (value.isEmpty()) {
        return new Result.Wrong(
            reference.group() + ", which is not set",
            "a variable of the environment or a system property, or a default: ${"
                + reference.group("name")
                + ":-default}");
      }
      text.append(written, at, next).append(value.get());
      at = reference.end();
    }
    return new Result.Text(text.append(written, at, written.length()).toString());
  }

  private static boolean isEscaped(String written, int from, int next) {
    return next > from && written.charAt(next - 1) == '$';
  }

  private Optional<String> value(Matcher reference) {
    Optional<String> value = variables.value(reference.group("name"));
    Optional<String> otherwise = Optional.ofNullable(reference.group("default"));
    return otherwise.isEmpty() ? value : value.filter(set -> !set.isEmpty()).or(() -> otherwise);
  }
}
