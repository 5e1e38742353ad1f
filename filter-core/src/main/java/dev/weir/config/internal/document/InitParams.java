package dev.weir.config.internal.document;

import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The init-params of one filter. They are read as the document that a file with one rule would be,
 * so that the same code reads both. A param has the name of its setting in the file. Each name
 * occurs in one place only, so the last part of a setting's path leads back to its param.
 *
 * @param owner the filter's name, which is also the default name of the rule
 */
public record InitParams(String owner, Map<String, String> params) implements ConfigDocument {

  private static final List<String> REDIS =
      List.of("redis", "deadline", "clock", "batching", "deny-cache", "secret");
  private static final List<String> TOP =
      List.of("application", "nodes", "max-counters", "on-outage", "delays", "listener");
  private static final List<String> ADDRESS = List.of("trusted-proxies", "header", "ipv6-prefix");
  private static final List<String> PATHS = List.of("ignore-case", "ignore-trailing-slash");
  private static final List<String> RESPONSES = List.of("denied", "fields", "legacy-headers");
  private static final List<String> RULE =
      List.of(
          "name limit subject match except missing allow deny cost count on-denial enabled"
              .split(" ", -1));

  /**
   * Separators of list items. A list in a file is a text here, with commas or line breaks between
   * its items. The comma of {@code GET,POST /a} separates methods, not items, so commas between
   * patterns follow a path. A limit contains commas, so several limits are on separate lines.
   */
  private static final Map<String, String> SEPARATOR_OF =
      Map.of(
          "limit", "\\R",
          "match", "(?<=/[^,\\s]{0,999})\\s*,|\\R",
          "except", "(?<=/[^,\\s]{0,999})\\s*,|\\R",
          "subject", ",|\\R",
          "count", ",|\\R",
          "allow", ",|\\R",
          "deny", ",|\\R",
          "trusted-proxies", ",|\\R");

  /** Params that have another name than their setting. */
  private static final Map<String, String> SETTING_OF = Map.of("limit", "limits", "redis", "uri");

  private static final Map<String, String> PARAM_OF = Map.of("limits", "limit", "uri", "redis");

  private static final List<String> KNOWN =
      Stream.of(List.of("config"), RULE, TOP, REDIS, ADDRESS, PATHS, RESPONSES)
          .flatMap(List::stream)
          .toList();

  public InitParams {
    params = Map.copyOf(params);
  }

  @Override
  public String name() {
    return "filter " + Redaction.quoted(owner);
  }

  /** Returns the name without the values, since a param may be a secret. */
  @Override
  public String toString() {
    return name();
  }

  public Reading reading(Variables variables, ClassLoader classLoader) {
    return new Reading(name(), variables, classLoader, InitParams::param);
  }

  /**
   * Returns the root of the document. Unknown params are reported as problems.
   *
   * @param hints what to expect instead of some unknown params
   */
  public Value root(Reading reading, Map<String, String> hints) {
    refuseUnknown(reading, hints);
    List<Node.Entry> root = entries(TOP);
    addSection(root, "redis", REDIS);
    addSection(root, "client-address", ADDRESS);
    addSection(root, "paths", PATHS);
    addSection(root, "responses", RESPONSES);
    root.add(Node.Entry.of("rules", Node.of(List.of(rule()))));
    return new Value(reading, "", Node.ofEntries(root));
  }

  private void refuseUnknown(Reading reading, Map<String, String> hints) {
    for (String param : params.keySet().stream().sorted().toList()) {
      if (!KNOWN.contains(param)) {
        Optional<String> hint = Optional.ofNullable(hints.get(param));
        reading.problemOf(
            Node.Place.NONE,
            named(param),
            Redaction.quoted(param),
            hint.orElse("one of " + String.join(", ", KNOWN)),
            hint.isPresent() ? Optional.empty() : Spelling.nearest(param, KNOWN));
      }
    }
  }

  private Node rule() {
    List<Node.Entry> rule = entries(RULE);
    if (!params.containsKey("name")) {
      rule.add(Node.Entry.of("name", Node.of(owner)));
    }
    if (!params.containsKey("match")) {
      rule.add(Node.Entry.of("match", Node.of("/**")));
    }
    return Node.ofEntries(rule);
  }

  private List<Node.Entry> entries(List<String> names) {
    List<Node.Entry> entries = new ArrayList<>();
    for (String param : names) {
      String text = params.get(param);
      if (text != null) {
        entries.add(Node.Entry.of(SETTING_OF.getOrDefault(param, param), node(param, text)));
      }
    }
    return entries;
  }

  private static Node node(String param, String text) {
    String separator = SEPARATOR_OF.get(param);
    if (separator == null) {
      return Node.of(text);
    }
    List<Node> items =
        Stream.of(text.strip().split(separator, -1)).map(item -> Node.of(item.strip())).toList();
    return items.size() == 1 ? items.get(0) : Node.of(items);
  }

  private void addSection(List<Node.Entry> root, String name, List<String> names) {
    List<Node.Entry> entries = entries(names);
    if (!entries.isEmpty()) {
      root.add(Node.Entry.of(name, Node.ofEntries(entries)));
    }
  }

  /**
   * Returns the init-param for a path. {@code rules[0].match[1]} becomes the init-param {@code
   * match}.
   */
  private static String param(String path) {
    String last = path.substring(path.lastIndexOf('.') + 1).replaceAll("\\[[0-9]+]", "");
    return named(PARAM_OF.getOrDefault(last, last));
  }

  private static String named(String param) {
    return "init-param " + Redaction.quoted(param);
  }
}
