package dev.weir.config.internal.key;

import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.KeyGroup.Kind;
import dev.weir.config.internal.key.ValueType.Amount;
import dev.weir.config.internal.key.ValueType.AnyOf;
import dev.weir.config.internal.key.ValueType.ByName;
import dev.weir.config.internal.key.ValueType.Choice;
import dev.weir.config.internal.key.ValueType.Count;
import dev.weir.config.internal.key.ValueType.Flag;
import dev.weir.config.internal.key.ValueType.Form;
import dev.weir.config.internal.key.ValueType.Instance;
import dev.weir.config.internal.key.ValueType.Items;
import dev.weir.config.internal.key.ValueType.Length;
import dev.weir.config.internal.key.ValueType.Mapping;
import dev.weir.config.internal.key.ValueType.Text;
import dev.weir.config.internal.key.ValueType.Whole;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes the page of keys: a table for each map of the configuration. */
final class KeyPage {

  private static final String HEAD =
      """
      # Configuration

      <!-- Made from the keys in code: change them there, and run the tests with -Dweir.write=true -->

      All keys of `weir.yaml`. [Rules](rules.md), [clients](clients.md) and [denials](denials.md) explain what they are for.

      ```yaml complete
      # yaml-language-server: $schema=weir.schema.json
      rules:
        - { name: login, match: POST /login, subject: ip, limits: [5 per minute] }
      ```

      The first line names the JSON Schema, so that an editor completes keys, such as VS Code with its YAML extension. The
      schema is in each jar with the rules, the `-all` jars too: `unzip -j JAR dev/weir/config/weir.schema.json` next to the
      file. The file is YAML 1.2, where `on` and `off` are words.

      The init-param `config` of a filter names a file. With it, any other init-param is an error. With any init-param but
      `config`, no file is searched for, and the init-params make one rule. The last column names the param of a key.
      A param is a text. A list has commas or line breaks between its items. Each limit is on a line of its own, and a
      comma between patterns follows a path.

      A value may have variables: `${NAME}`, or `${NAME:-default}`, in quotes inside of `{ }`. `$${` is a literal `${`.
      A map with keys marked *kind* has exactly one of them.
      A reload applies changes of all keys without a mark. One that changes a key marked *restart* is refused as a whole, and
      the previous configuration stays active. A file in the WAR, such as `/WEB-INF/weir.yaml`, is never reloaded.
      """;

  private static final String NONE = "–";

  private static final String COLUMNS =
      "| Key | Meaning | Value | Default | Example | Init-param |\n|---|---|---|---|---|---|\n";

  private KeyPage() {}

  static String of(KeyGroup root) {
    Map<String, KeyGroup> tables = new LinkedHashMap<>();
    collect("", root, tables);
    StringBuilder page = new StringBuilder(HEAD);
    tables.forEach(
        (path, group) -> {
          page.append(path.isEmpty() ? "\n## The file\n\n" : "\n## `" + path + "`\n\n");
          page.append(COLUMNS);
          group.keys().forEach(key -> page.append(row(key, group)));
        });
    return page.toString();
  }

  /** Each group has one table, where it comes first. */
  private static void collect(String path, KeyGroup group, Map<String, KeyGroup> tables) {
    if (tables.containsValue(group)) {
      return;
    }
    tables.put(path, group);
    for (Key<?> key : group.keys()) {
      String below = path.isEmpty() ? key.name() : path + "." + key.name();
      String named = key.type() instanceof ByName ? below + ".NAME" : below;
      groupOf(key.type()).ifPresent(it -> collect(named, it, tables));
    }
  }

  private static Optional<KeyGroup> groupOf(ValueType<?> type) {
    return type instanceof ByName byName ? groupOf(byName.each()) : type.group();
  }

  private static String row(Key<?> key, KeyGroup group) {
    Key.About about = key.about();
    return Stream.of(
            "`" + key.name() + "`" + mark(key, group),
            meaning(key, group),
            value(key.type()),
            byDefault(key, group),
            "`" + about.example() + "`",
            about.param().map(param -> "`" + param + "`").orElse(NONE))
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  private static String mark(Key<?> key, KeyGroup group) {
    return (key.about().needsRestart() ? " *restart*" : "") + (isKind(key, group) ? " *kind*" : "");
  }

  private static boolean isKind(Key<?> key, KeyGroup group) {
    return group.kinds().stream().anyMatch(kind -> kind.key().equals(key));
  }

  /** Returns what the key means, and with which kinds of its map it goes. */
  static String meaning(Key<?> key, KeyGroup group) {
    List<Kind> kinds = group.kindsWith(key);
    return kinds.isEmpty() || isKind(key, group)
        ? key.about().meaning()
        : key.about().meaning() + " Only with `" + KeyGroup.names(kinds, "` or `") + "`.";
  }

  private static String byDefault(Key<?> key, KeyGroup group) {
    boolean isRequired =
        group.required().contains(key)
            || group.kinds().stream().anyMatch(kind -> kind.required().contains(key));
    String required = isRequired ? "required" : "";
    String words = key.about().byDefault();
    if (!words.isEmpty()) {
      return required.isEmpty() ? words : required + "; " + words;
    }
    if (key instanceof Key.Defaulted<?> defaulted) {
      return "`" + written(key.type(), defaulted.fallback()) + "`";
    }
    return required.isEmpty() ? NONE : required;
  }

  private static String written(ValueType<?> type, Object value) {
    if (type instanceof Flag flag) {
      return value.equals(true) ? flag.on() : flag.off();
    }
    if (value instanceof Enum<?> constant) {
      return word(constant);
    }
    if (value instanceof Number number) {
      return number(number.longValue());
    }
    return value instanceof Duration length ? Value.print(length) : String.valueOf(value);
  }

  private static String value(ValueType<?> type) {
    if (type instanceof Whole whole) {
      return range(whole.least(), whole.most());
    }
    if (type instanceof Count count) {
      return range(count.least(), count.most());
    }
    if (type instanceof Amount) {
      return Amount.EXPECTED;
    }
    if (type instanceof Flag flag) {
      return "`" + flag.on() + "` or `" + flag.off() + "`";
    }
    if (type instanceof Choice<?> choice) {
      return words(choice).stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
    }
    if (type instanceof Length length) {
      return "a time from " + Value.print(length.least()) + " to " + Value.print(length.most());
    }
    if (type instanceof Instance<?> instance) {
      return "the name of a class that implements `" + instance.type().getName() + "`";
    }
    if (type instanceof Text text) {
      return text.expected();
    }
    if (type instanceof Form form) {
      return form.expected();
    }
    if (type instanceof Items items) {
      return items.expected();
    }
    if (type instanceof ByName byName) {
      return byName.expected();
    }
    return type instanceof Mapping mapping ? mapping.keys().expected() : ((AnyOf) type).expected();
  }

  private static String range(long least, long most) {
    return most == Long.MAX_VALUE
        ? "a whole number of at least " + least
        : "a whole number from " + number(least) + " to " + number(most);
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', '_');
  }

  /** Returns the names of the constants, as they are written. */
  static List<String> words(Choice<?> choice) {
    return Stream.of(choice.constants().getEnumConstants()).map(KeyPage::word).toList();
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
