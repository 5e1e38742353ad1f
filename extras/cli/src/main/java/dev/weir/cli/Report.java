package dev.weir.cli;

import dev.weir.internal.JsonText;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a command has to say: as lines of text, and as one JSON object. */
final class Report {

  private static final String GAP = "  ";

  private final List<String> lines = new ArrayList<>();
  private final Map<String, Object> json = new LinkedHashMap<>();

  /** Adds a line of the text. */
  Report line(String line) {
    lines.add(line);
    return this;
  }

  /** Adds rows of the text, whose columns are aligned. */
  Report table(List<List<String>> rows) {
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        line.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
      }
      lines.add(line.toString().stripTrailing());
    }
    return this;
  }

  /** Adds a member of the JSON object: a text, a number, a flag, a list or a map. */
  Report put(String key, Object value) {
    json.put(key, value);
    return this;
  }

  String text() {
    return lines.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  String json() {
    return json(json) + "\n";
  }

  /** Returns a map of these keys and values in turn, for JSON. An empty optional is left out. */
  static Map<String, Object> map(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      String key = String.valueOf(keysAndValues[i]);
      if (keysAndValues[i + 1] instanceof Optional<?> optional) {
        optional.ifPresent(value -> map.put(key, value));
      } else {
        map.put(key, keysAndValues[i + 1]);
      }
    }
    return map;
  }

  private static String json(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(it -> JsonText.quoted(String.valueOf(it.getKey())) + ":" + json(it.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof Collection<?> items) {
      return items.stream().map(Report::json).collect(Collectors.joining(",", "[", "]"));
    }
    return value instanceof Number || value instanceof Boolean
        ? value.toString()
        : JsonText.quoted(String.valueOf(value));
  }
}
