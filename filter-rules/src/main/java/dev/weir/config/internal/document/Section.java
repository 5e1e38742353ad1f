package dev.weir.config.internal.document;

import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** A map of the configuration, with unique keys. */
public final class Section {

  private static final String HIDDEN = "?";

  private final Value itself;
  private final Reading reading;
  private final Node.Mapping map;
  private final Map<String, Value> values = new LinkedHashMap<>();

  Section(Value itself, Node.Mapping map) {
    this.itself = itself;
    this.reading = itself.reading();
    this.map = map;
    for (Node.Entry entry : map.entries()) {
      if (!(entry.key() instanceof Node.Scalar key) || key.isNull()) {
        reading.problem(entry.key().place(), itself.path(), "a key that is not a name", "a name");
        continue;
      }
      Value value = new Value(reading, child(key.text()), entry.value());
      if (values.putIfAbsent(key.text(), value) != null) {
        reading.problem(key.place(), value.path(), "a second " + quoted(key.text()), "it once");
      }
    }
  }

  /** Reports all keys but these. The hints say what to expect instead of some. */
  public void refuseOthers(List<String> keys, Map<String, String> hints) {
    for (Node.Entry entry : map.entries()) {
      if (entry.key() instanceof Node.Scalar key && !key.isNull() && !keys.contains(key.text())) {
        Optional<String> hint =
            Optional.ofNullable(hints.get(key.text()))
                .or(() -> Mistakes.REST_OF_LIMIT.meant(key.text()))
                .or(() -> Mistakes.REST_OF_LIST.meant(key.text()));
        Optional<String> nearest =
            hint.isPresent() ? Optional.empty() : Spelling.nearest(key.text(), keys);
        String expected = hint.orElse("one of " + String.join(", ", keys));
        String quoted = quoted(key.text());
        // a key without a value may be the rest of a value that a comma has cut, such as a secret:
        // it is shown only as the map is
        boolean mayBeRest = entry.value() instanceof Node.Scalar value && value.isNull();
        String found = hint.isEmpty() && mayBeRest ? itself.shown().apply(quoted) : quoted;
        String at = found.equals(quoted) ? child(key.text()) : child(HIDDEN);
        reading.problem(key.place(), at, found, expected, nearest);
      }
    }
  }

  public Optional<Value> value(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** Returns a section without keys in the place of this missing one. */
  public Section empty(String key) {
    Node.Mapping none = new Node.Mapping(map.place(), List.of());
    return new Section(new Value(reading, child(key), none), none);
  }

  public void forEach(BiConsumer<String, Value> action) {
    values.forEach(action);
  }

  public void missing(String key, String expected) {
    reading.problem(map.place(), child(key), "nothing", expected);
  }

  /** Makes an object of this map, as {@link Value#make} does. */
  public <T> Optional<T> make(Supplier<T> maker) {
    return itself.make(maker);
  }

  private String child(String key) {
    String name = mayBeUri(key) ? HIDDEN : Redaction.plain(key);
    return itself.path().isEmpty() ? name : itself.path() + "." + name;
  }

  /** Returns the quoted key. A URI in its place is hidden, since it may contain a password. */
  private static String quoted(String key) {
    return mayBeUri(key) ? "a URI" : Redaction.quoted(key);
  }

  private static boolean mayBeUri(String key) {
    return key.contains("://") || key.contains("@");
  }
}
