package dev.weir.config.internal.read;

import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Node;
import dev.weir.config.internal.document.Reading;
import dev.weir.config.internal.document.Redacted;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.document.Variables;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Turns init-params into the document that a file with one rule would be, so that the same code
 * reads both. A param has the name of its setting in the file. Each name occurs in one place only,
 * so the last part of a setting's path leads back to its param.
 */
final class InitParams {

  private static final List<String> REDIS =
      List.of("redis", "deadline", "clock", "batching", "deny-cache", "secret");
  private static final List<String> TOP =
      List.of("application", "nodes", "max-counters", "on-outage", "delays", "listener");
  private static final List<String> ADDRESS = List.of("trusted-proxies", "header", "ipv6-prefix");
  private static final List<String> PATHS = List.of("ignore-case", "ignore-trailing-slash");
  private static final List<String> RESPONSES = List.of("denied", "fields", "legacy-headers");
  private static final List<String> RULE =
      List.of(
          "name",
          "limit",
          "subject",
          "match",
          "except",
          "missing",
          "allow",
          "deny",
          "cost",
          "count",
          "on-denial",
          "enabled");

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

  private static final String EVERYTHING = "/**";

  private final ConfigDocument.InitParams document;
  private final Reading reading;

  private InitParams(ConfigDocument.InitParams document, Reading reading) {
    this.document = document;
    this.reading = reading;
  }

  static Reading reading(ConfigDocument.InitParams document, Variables variables) {
    return new Reading(document.name(), variables, InitParams::param);
  }

  /** Returns the root of the document. Unknown params are reported as problems. */
  static Value read(ConfigDocument.InitParams document, Reading reading) {
    return new InitParams(document, reading).root();
  }

  private Value root() {
    refuseUnknown();
    List<Node.Entry> root = entries(TOP);
    addSection(root, "redis", entries(REDIS));
    addSection(root, "client-address", entries(ADDRESS));
    addSection(root, "paths", entries(PATHS));
    addSection(root, "responses", entries(RESPONSES));
    root.add(Node.Entry.of("rules", Node.of(List.of(rule()))));
    return Value.of(reading, "", Node.ofEntries(root));
  }

  private void refuseUnknown() {
    List<String> known = known();
    for (String param : document.params().keySet().stream().sorted().toList()) {
      if (!known.contains(param)) {
        Optional<String> hint = Optional.ofNullable(RedisReader.HINTS.get(param));
        reading.problemOf(
            Node.Place.NONE,
            named(param),
            Redacted.quoted(param),
            hint.orElse("one of " + String.join(", ", known)),
            hint.isPresent() ? Optional.empty() : Spelling.nearest(param, known));
      }
    }
  }

  private static List<String> known() {
    List<String> known = new ArrayList<>();
    known.add("config");
    List.of(RULE, TOP, REDIS, ADDRESS, PATHS, RESPONSES).forEach(known::addAll);
    return known;
  }

  private Node rule() {
    List<Node.Entry> rule = entries(RULE);
    if (!document.params().containsKey("name")) {
      rule.add(Node.Entry.of("name", Node.of(document.owner())));
    }
    if (!document.params().containsKey("match")) {
      rule.add(Node.Entry.of("match", Node.of(EVERYTHING)));
    }
    return Node.ofEntries(rule);
  }

  private List<Node.Entry> entries(List<String> params) {
    List<Node.Entry> entries = new ArrayList<>();
    for (String param : params) {
      String text = document.params().get(param);
      if (text != null) {
        entries.add(Node.Entry.of(SETTING_OF.getOrDefault(param, param), node(param, text)));
      }
    }
    return entries;
  }

  private static Node node(String param, String text) {
    String separator = SEPARATOR_OF.get(param);
    return separator == null ? Node.of(text) : list(text, separator);
  }

  private static Node list(String text, String separator) {
    List<Node> items = new ArrayList<>();
    for (String item : text.strip().split(separator, -1)) {
      items.add(Node.of(item.strip()));
    }
    return items.size() == 1 ? items.get(0) : Node.of(items);
  }

  private static void addSection(List<Node.Entry> root, String name, List<Node.Entry> entries) {
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
    return "init-param " + Redacted.quoted(param);
  }
}
