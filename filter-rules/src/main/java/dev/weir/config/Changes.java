package dev.weir.config;

import dev.weir.config.internal.document.Node;
import dev.weir.config.internal.document.YamlReader;
import dev.weir.internal.Redaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a reload has changed, in names of the configuration only. Values are compared as they are
 * written: another order of rules is a change, other blanks and comments are none.
 */
final class Changes {

  private static final String LIMITS = "limits";
  private static final String RULES = "rules";
  private static final int MOST_NAMES = 20;

  private final List<String> found = new ArrayList<>();

  private Changes() {}

  /** Describes the changes from one valid content of a file to another one. */
  static String between(FileWatch.Content before, FileWatch.Content after) {
    Changes changes = new Changes();
    changes.compare(top(before), top(after));
    if (!before.digests().equals(after.digests())) {
      changes.found.add("key files");
    }
    return changes.found.isEmpty() ? "nothing" : String.join("; ", changes.found);
  }

  private static Map<String, Object> top(FileWatch.Content content) {
    return mapping(value(YamlReader.read("", content.text())));
  }

  private void compare(Map<String, Object> before, Map<String, Object> after) {
    compareNamed(LIMITS, named(before.get(LIMITS)), named(after.get(LIMITS)));
    compareNamed(RULES, named(before.get(RULES)), named(after.get(RULES)));
    TreeSet<String> others = new TreeSet<>(before.keySet());
    others.addAll(after.keySet());
    others.removeAll(List.of(LIMITS, RULES));
    others.removeIf(key -> Objects.equals(before.get(key), after.get(key)));
    if (!others.isEmpty()) {
      found.add(list(others));
    }
  }

  private void compareNamed(String what, Map<String, Object> before, Map<String, Object> after) {
    List<String> changes = new ArrayList<>();
    add("added", after.keySet().stream().filter(it -> !before.containsKey(it)).toList(), changes);
    add("removed", before.keySet().stream().filter(it -> !after.containsKey(it)).toList(), changes);
    add(
        "changed",
        after.keySet().stream()
            .filter(before::containsKey)
            .filter(it -> !Objects.equals(before.get(it), after.get(it)))
            .toList(),
        changes);
    if (changes.isEmpty() && !List.copyOf(before.keySet()).equals(List.copyOf(after.keySet()))) {
      changes.add("in another order");
    }
    if (!changes.isEmpty()) {
      found.add(what + " " + String.join(", ", changes));
    }
  }

  private static void add(String how, List<String> names, List<String> changes) {
    if (!names.isEmpty()) {
      changes.add(how + " " + list(names));
    }
  }

  private static String list(Iterable<String> names) {
    List<String> quoted = new ArrayList<>();
    names.forEach(name -> quoted.add(Redaction.quoted(name)));
    int more = quoted.size() - MOST_NAMES;
    return quoted.stream().limit(MOST_NAMES).collect(Collectors.joining(" "))
        + (more > 0 ? " and " + more + " more" : "");
  }

  /** Returns limits by their keys, and rules by their names. */
  private static Map<String, Object> named(@Nullable Object value) {
    if (!(value instanceof List<?> rules)) {
      return value == null ? Map.of() : mapping(value);
    }
    Map<String, Object> named = new LinkedHashMap<>();
    for (Object rule : rules) {
      Object name = mapping(rule).getOrDefault("name", "rule " + (named.size() + 1));
      named.put(String.valueOf(name), rule);
    }
    return named;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> mapping(Object value) {
    return value instanceof Map ? (Map<String, Object>) value : Map.of();
  }

  /** Returns the value of a node without places. */
  private static Object value(Node node) {
    if (node instanceof Node.Scalar scalar) {
      return scalar.text();
    }
    if (node instanceof Node.Sequence sequence) {
      return sequence.items().stream().map(Changes::value).toList();
    }
    Map<String, Object> values = new LinkedHashMap<>();
    for (Node.Entry entry : ((Node.Mapping) node).entries()) {
      values.put(String.valueOf(value(entry.key())), value(entry.value()));
    }
    return values;
  }
}
