package dev.weir.config.internal.document;

import dev.weir.internal.Spelling;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A map of the configuration with known, unique keys. */
public final class Section {

  private final Reading reading;
  private final String path;
  private final Node.Place place;
  private final Map<String, Value> values = new LinkedHashMap<>();

  private Section(Reading reading, String path, Node.Place place) {
    this.reading = reading;
    this.path = path;
    this.place = place;
  }

  static Section of(
      Reading reading,
      String path,
      Node.Place place,
      List<Node.Entry> entries,
      List<String> keys,
      Map<String, String> hints) {
    Section section = new Section(reading, path, place);
    section.fill(entries);
    section.refuseUnknown(entries, keys, hints);
    return section;
  }

  static Section ofNames(Reading reading, String path, Node.Place place, List<Node.Entry> entries) {
    Section section = new Section(reading, path, place);
    section.fill(entries);
    return section;
  }

  /** Returns whether the key is present. */
  public boolean has(String key) {
    return values.containsKey(key);
  }

  /** Returns the value of this key, if it is present. */
  public Optional<Value> value(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** Returns the value, and reports a problem if it is missing. */
  public Optional<Value> required(String key, String expected) {
    Optional<Value> value = value(key);
    if (value.isEmpty()) {
      problem(key, expected);
    }
    return value;
  }

  /** Returns a nested section, or an empty one. */
  public Section section(String key, String expected, List<String> keys) {
    return value(key)
        .flatMap(value -> value.section(expected, keys))
        .orElseGet(() -> new Section(reading, child(key), place));
  }

  /** Returns the constant that the key names, or the default. */
  public <E extends Enum<E>> E oneOf(String key, E otherwise) {
    return value(key)
        .flatMap(value -> value.oneOf(otherwise.getDeclaringClass()))
        .orElse(otherwise);
  }

  /** Returns {@code true} or {@code false} as written, or the default. */
  public boolean flag(String key, boolean otherwise) {
    return flag(key, "true", "false", otherwise);
  }

  /** Returns which of two words the key has, or the default. */
  public boolean flag(String key, String on, String off, boolean otherwise) {
    return value(key).flatMap(value -> value.flag(on, off)).orElse(otherwise);
  }

  /** Returns a whole number within these bounds. */
  public Optional<Integer> whole(String key, int least, int most) {
    return value(key).flatMap(value -> value.whole(least, most)).map(Math::toIntExact);
  }

  /** Returns a length of time within these bounds. */
  public Optional<Duration> duration(String key, Duration least, Duration most) {
    return value(key).flatMap(value -> value.duration(least, most));
  }

  /** Returns the keys with their values. */
  public Collection<Map.Entry<String, Value>> entries() {
    return values.entrySet();
  }

  /** Reports a missing key. */
  public void problem(String key, String expected) {
    reading.problem(place, child(key), "nothing", expected);
  }

  private void fill(List<Node.Entry> entries) {
    for (Node.Entry entry : entries) {
      if (!(entry.key() instanceof Node.Scalar key) || key.isNull()) {
        reading.problem(entry.key().place(), path, "a key that is not a name", "a name");
        continue;
      }
      Value value = Value.of(reading, child(key.text()), entry.value());
      if (values.putIfAbsent(key.text(), value) != null) {
        reading.problem(
            key.place(), child(key.text()), "a second " + Redacted.key(key.text()), "it once");
      }
    }
  }

  private void refuseUnknown(
      List<Node.Entry> entries, List<String> keys, Map<String, String> hints) {
    for (Node.Entry entry : entries) {
      if (entry.key() instanceof Node.Scalar key && !key.isNull() && !keys.contains(key.text())) {
        Optional<String> hint =
            Optional.ofNullable(hints.get(key.text())).or(() -> SplitLimit.hintForKey(key.text()));
        refuseUnknown(key, keys, hint);
      }
    }
  }

  private void refuseUnknown(Node.Scalar key, List<String> keys, Optional<String> hint) {
    reading.problem(
        key.place(),
        child(key.text()),
        Redacted.key(key.text()),
        hint.orElse("one of " + String.join(", ", keys)),
        hint.isPresent() ? Optional.empty() : Spelling.nearest(key.text(), keys));
  }

  private String child(String key) {
    String name = Redacted.isUri(key) ? "?" : Redacted.plain(key);
    return path.isEmpty() ? name : path + "." + name;
  }
}
