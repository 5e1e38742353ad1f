package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Node;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.DenialResponse;
import dev.weir.internal.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads a map as the JSON object that it stands for. Texts in quotes are strings. Numbers, {@code
 * true}, {@code false} and {@code null} without quotes are what they are in JSON. A variable is
 * always a string.
 */
final class JsonReader {

  private static final String EXPECTED = "a text, a number, a list or a map";
  private static final Pattern WORD =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?|true|false");

  private static final Pattern NOTHING = Pattern.compile("(?i)|~|null");

  private JsonReader() {}

  /** Returns the JSON of this value. Reports what has none, and placeholders that do not exist. */
  static Optional<String> text(Value value) {
    if (value.isMapping()) {
      return value.names(EXPECTED).flatMap(JsonReader::object);
    }
    if (value.node() instanceof Node.Sequence list) {
      return list.items().isEmpty() ? Optional.of("[]") : list(value.items(EXPECTED));
    }
    return scalar(value, (Node.Scalar) value.node());
  }

  private static Optional<String> object(Section map) {
    List<Optional<String>> members = new ArrayList<>();
    map.forEach(
        (name, value) -> members.add(text(value).map(text -> JsonText.quoted(name) + ":" + text)));
    return joined(members).map(text -> "{" + text + "}");
  }

  private static Optional<String> list(List<Value> items) {
    return joined(items.stream().map(JsonReader::text).toList()).map(text -> "[" + text + "]");
  }

  private static Optional<String> joined(List<Optional<String>> parts) {
    return parts.stream().allMatch(Optional::isPresent)
        ? Optional.of(String.join(",", parts.stream().map(Optional::orElseThrow).toList()))
        : Optional.empty();
  }

  private static Optional<String> scalar(Value value, Node.Scalar scalar) {
    if (!scalar.isQuoted() && NOTHING.matcher(scalar.text()).matches()) {
      return Optional.of("null");
    }
    if (!scalar.isQuoted() && WORD.matcher(scalar.text()).matches()) {
      return Optional.of(scalar.text());
    }
    if (value.isEmpty()) {
      return Optional.of("\"\"");
    }
    return value
        .text(EXPECTED)
        .map(JsonText::quoted)
        .flatMap(
            text ->
                value.check(
                    () -> {
                      DenialResponse unused =
                          DenialResponse.PROBLEM.withJson("{\"value\":" + text + "}");
                      return text;
                    }));
  }
}
