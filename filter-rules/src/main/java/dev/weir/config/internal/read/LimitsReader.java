package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Mistakes;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.LimitFunction;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The limits of a configuration by name, and the references of rules to them. */
final class LimitsReader {

  private static final String REFERENCES =
      "the names of limits, or limits in place such as '5 per minute'";

  static final Key<Section> LIMITS =
      Key.of(
              "limits",
              new ValueType.ByName(
                  "limits by name, such as 'login: 5 per minute'", LimitReader.LIMIT),
              "{ login: 5 per minute }")
          .means("Limits by name, for rules and annotations to name.");

  /** One limit of a rule, or several. */
  static final ValueType<Value> SOME =
      new ValueType.Items(
          REFERENCES,
          new ValueType.AnyOf(
              REFERENCES, new ValueType.Form("the name of a limit", Forms.NAME), LimitReader.LIMIT),
          "\\R"); // limits contain commas

  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,3}");

  private final Map<String, NamedLimit> limits = new LinkedHashMap<>();

  /** Includes invalid limits, so that a reference to one is not reported as a second problem. */
  private final Set<String> names = new HashSet<>();

  private final Set<String> namesInPlace = new HashSet<>();
  private final Set<String> leased = new HashSet<>();
  private final Set<String> inBytes = new HashSet<>();
  private final Map<String, LimitFunction> functions = new HashMap<>();
  private final Set<String> used = new HashSet<>();

  LimitsReader(Section top) {
    Key.section(LIMITS, top)
        .forEach(
            (name, value) -> {
              Optional<String> hint = Mistakes.REST_OF_LIMIT.meant(name);
              if (hint.isPresent() && value.isEmpty()) {
                value.problem(Redaction.quoted(name), hint.get());
                return;
              }
              names.add(name);
              read(value, name).ifPresent(limit -> limits.put(name, limit));
            });
  }

  /** Creates a reader of valid limits, of which those of these names are written in bytes. */
  LimitsReader(Collection<NamedLimit> known, Set<String> inBytes) {
    known.forEach(limit -> limits.put(limit.name(), limit));
    this.inBytes.addAll(inBytes);
    names.addAll(limits.keySet());
  }

  private Optional<NamedLimit> read(Value value, String name) {
    Optional<LimitReader.Written> written = LimitReader.read(value);
    if (written.filter(LimitReader.Written::isLeased).isPresent()) {
      leased.add(name);
    }
    if (written.filter(LimitReader.Written::isInBytes).isPresent()) {
      inBytes.add(name);
    }
    written.flatMap(LimitReader.Written::function).ifPresent(it -> functions.put(name, it));
    return written.flatMap(it -> value.make(() -> new NamedLimit(name, it.limit())));
  }

  Set<String> leased() {
    return Set.copyOf(leased);
  }

  /** Returns the names of the limits that are written in bytes, in place or by name. */
  Set<String> inBytes() {
    return Set.copyOf(inBytes);
  }

  /** Returns the functions of limits, in place or by name, that have one. */
  Map<String, LimitFunction> functions() {
    return Map.copyOf(functions);
  }

  Map<String, NamedLimit> all() {
    return Map.copyOf(limits);
  }

  /** Returns the names of the limits that no rule refers to. */
  List<String> unused() {
    return limits.keySet().stream().filter(name -> !used.contains(name)).toList();
  }

  /**
   * Returns the limits of a rule, without invalid ones. A limit in place has the name of the rule,
   * followed by a number for all but the first.
   */
  List<NamedLimit> references(Value value, String rule) {
    List<NamedLimit> found = new ArrayList<>();
    List<Value> items = value.itemsOrMap(REFERENCES);
    int inPlace = 0;
    for (int i = 0; i < items.size(); i++) {
      Value item = items.get(i);
      Optional<String> whole =
          i + 1 < items.size() && item.isLike(DIGITS)
              ? items.get(i + 1).meant(Mistakes.REST_OF_LIMIT)
              : Optional.empty();
      if (whole.isPresent()) {
        item.refuse(whole.get());
        i++;
        continue;
      }
      Optional<String> name = item.isMapping() ? Optional.empty() : item.text(REFERENCES);
      if (name.isPresent() && names.contains(name.get())) {
        used.add(name.get());
        Optional.ofNullable(limits.get(name.get())).ifPresent(found::add);
      } else if (item.isMapping() || name.filter(LimitsReader::isInPlace).isPresent()) {
        inPlace++;
        String ownName = inPlace == 1 ? rule : rule + "." + inPlace;
        if (names.contains(ownName) || !namesInPlace.add(ownName)) {
          item.refuse(
              "another name for the rule, since a limit is called " + Redaction.quoted(ownName));
        } else {
          read(item, ownName).ifPresent(found::add);
        }
      } else if (name.isPresent()) {
        refuseUnknown(item, name.get());
      }
    }
    return found;
  }

  private void refuseUnknown(Value item, String name) {
    Optional<String> hint = Mistakes.REST_OF_LIMIT.meant(name);
    if (hint.isPresent()) {
      item.refuse(hint.get());
      return;
    }
    String inPlace = "a limit in place such as '5 per minute'";
    item.problem(
        item.found(),
        names.isEmpty()
            ? inPlace + ", since 'limits' names none"
            : "one of the limits " + Redaction.names(names) + ", or " + inPlace,
        Spelling.nearest(name, names));
  }

  /** Returns whether this is a limit in place, or a number that was meant to be one. */
  static boolean isInPlace(String text) {
    try {
      Limit unused = Limit.parse(text);
      return true;
    } catch (IllegalArgumentException notALimit) {
      return "+-0123456789".indexOf(text.charAt(0)) >= 0;
    }
  }
}
