package dev.weir.config.internal.read;

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
 *
 * @param known the params by which keys are set, by their names
 */
record ParamsReader(Map<String, Setting> known) {

  // A list in a file is a text here, with commas or line breaks between its items.

  static final String COMMAS = ",|\\R";

  /** Limits contain commas. */
  static final String LINES = "\\R";

  /** The comma of {@code GET,POST /a} separates methods: one between patterns follows a path. */
  static final String COMMAS_AFTER_PATHS = "(?<=/[^,\\s]{0,999})\\s*,|\\R";

  private static final String CONFIG = "config";
  private static final String RULES = "rules";
  private static final String NAME = "name";
  private static final String MATCH = "match";

  /**
   * What a param sets.
   *
   * @param section the map that has the key; empty at the top
   */
  record Setting(String section, String key, Key.Param param) {}

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
      key.param()
          .ifPresent(param -> known.put(param.name(), new Setting(section, key.name(), param)));
    }
  }

  /**
   * Returns the root of the document that these params stand for. Unknown ones are problems.
   *
   * @param hints what to expect instead of some unknown params
   */
  Value root(
      InitParams params, Variables variables, ClassLoader classLoader, Map<String, String> hints) {
    Reading reading = new Reading(params.name(), variables, classLoader, this::nameOf);
    refuseUnknown(params, reading, hints);
    Map<String, List<Node.Entry>> sections = new LinkedHashMap<>();
    for (Setting setting : known.values()) {
      Optional<String> text = params.value(setting.param().name());
      if (text.isPresent()) {
        sections
            .computeIfAbsent(setting.section(), none -> new ArrayList<>())
            .add(entry(setting, text.get()));
      }
    }
    List<Node.Entry> rule = Optional.ofNullable(sections.remove(RULES)).orElseGet(ArrayList::new);
    addUnlessGiven(rule, params, NAME, params.owner());
    addUnlessGiven(rule, params, MATCH, "/**");
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

  private static Node.Entry entry(Setting setting, String text) {
    String separator = setting.param().separator();
    if (separator.isEmpty()) {
      return Node.Entry.of(setting.key(), Node.of(text));
    }
    List<Node> items =
        Stream.of(text.strip().split(separator, -1)).map(item -> Node.of(item.strip())).toList();
    return Node.Entry.of(setting.key(), items.size() == 1 ? items.get(0) : Node.of(items));
  }

  private void refuseUnknown(InitParams params, Reading reading, Map<String, String> hints) {
    List<String> names = Stream.concat(Stream.of(CONFIG), known.keySet().stream()).toList();
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
        known.values().stream()
            .filter(setting -> setting.key().equals(last))
            .map(setting -> setting.param().name())
            .findFirst()
            .orElse(last));
  }

  private static String shown(String param) {
    return "init-param " + Redaction.quoted(param);
  }
}
