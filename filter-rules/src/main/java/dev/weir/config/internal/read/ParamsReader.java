package dev.weir.config.internal.read;

import dev.weir.config.WeirSource.Resources;
import dev.weir.config.internal.document.Assumptions;
import dev.weir.config.internal.document.ConfigDocument.InitParams;
import dev.weir.config.internal.document.Node;
import dev.weir.config.internal.document.Reading;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads the init-params of one filter as the file with one rule that they stand for, so that the
 * same code reads both. Each name of a param occurs once, so the last part of a setting's path
 * leads back to its param.
 */
record ParamsReader(Map<String, Setting> known) {

  private static final String RULES = "rules";

  /** The key that a param sets, and the name of the map that has it: empty at the top. */
  record Setting(String section, Key<?> key) {}

  /** Returns the reader of the params of these keys, of which those of the rule come first. */
  static ParamsReader of(KeyGroup root) {
    Map<String, Setting> known = new LinkedHashMap<>();
    add(RulesReader.KEYS, RULES, known);
    add(root, "", known);
    for (Key<?> key : root.keys()) {
      key.type().group().ifPresent(group -> add(group, key.name(), known));
    }
    return new ParamsReader(known);
  }

  private static void add(KeyGroup group, String section, Map<String, Setting> known) {
    for (Key<?> key : group.keys()) {
      key.about().param().ifPresent(param -> known.put(param, new Setting(section, key)));
    }
  }

  /**
   * Returns the root of the document that these params stand for. Unknown ones are problems.
   *
   * @param hints what to expect instead of some unknown params
   */
  Value root(
      InitParams params,
      Variables variables,
      ClassLoader classLoader,
      Resources resources,
      Assumptions assumptions,
      Map<String, String> hints) {
    Reading reading =
        new Reading(params.name(), variables, classLoader, resources, assumptions, this::nameOf);
    refuseUnknown(params, reading, hints);
    Map<String, List<Node.Entry>> sections = new LinkedHashMap<>();
    known.forEach(
        (param, setting) ->
            params
                .value(param)
                .ifPresent(
                    text ->
                        sections
                            .computeIfAbsent(setting.section(), none -> new ArrayList<>())
                            .add(entry(setting.key(), text))));
    List<Node.Entry> rule = Optional.ofNullable(sections.remove(RULES)).orElseGet(ArrayList::new);
    addUnlessGiven(rule, params, "name", params.owner());
    addUnlessGiven(rule, params, "match", "/**");
    List<Node.Entry> root = Optional.ofNullable(sections.remove("")).orElseGet(ArrayList::new);
    sections.forEach(
        (section, entries) -> root.add(Node.Entry.of(section, Node.ofEntries(entries))));
    root.add(Node.Entry.of(RULES, Node.of(List.of(Node.ofEntries(rule)))));
    return new Value(reading, "", Node.ofEntries(root));
  }

  private static void addUnlessGiven(
      List<Node.Entry> rule, InitParams params, String key, String otherwise) {
    if (params.value(key).isEmpty()) {
      rule.add(Node.Entry.of(key, Node.of(otherwise)));
    }
  }

  private static Node.Entry entry(Key<?> key, String text) {
    String separator = key.type().separator();
    if (separator.isEmpty()) {
      return Node.Entry.of(key.name(), Node.of(text));
    }
    List<Node> items =
        Stream.of(text.strip().split(separator, -1)).map(item -> Node.of(item.strip())).toList();
    return Node.Entry.of(key.name(), items.size() == 1 ? items.get(0) : Node.of(items));
  }

  private void refuseUnknown(InitParams params, Reading reading, Map<String, String> hints) {
    List<String> names = Stream.concat(Stream.of("config"), known.keySet().stream()).toList();
    for (String param : params.params().keySet().stream().sorted().toList()) {
      if (!names.contains(param)) {
        Optional<String> hint = Optional.ofNullable(hints.get(param));
        reading.problemOf(
            Node.Place.NONE,
            shown(param),
            Redaction.quoted(param),
            hint.orElse("one of " + String.join(", ", names)),
            hint.isPresent() ? Optional.empty() : Spelling.nearest(param, names));
      }
    }
  }

  /**
   * Returns the init-param for a path. {@code rules[0].match[1]} becomes the init-param {@code
   * match}.
   */
  private String nameOf(String path) {
    String last = path.substring(path.lastIndexOf('.') + 1).replaceAll("\\[[0-9]+]", "");
    return shown(
        known.entrySet().stream()
            .filter(param -> param.getValue().key().name().equals(last))
            .map(Map.Entry::getKey)
            .findFirst()
            .orElse(last));
  }

  private static String shown(String param) {
    return "init-param " + Redaction.quoted(param);
  }
}
