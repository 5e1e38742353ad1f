package dev.weir.config.internal.document;

import dev.weir.internal.Spelling;
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
      Map<String, String> cures) {
    Section section = new Section(reading, path, place);
    section.fill(entries);
    section.refuseUnknown(entries, keys, cures);
    return section;
  }

  static Section ofNames(Reading reading, String path, Node.Place place, List<Node.Entry> entries) {
    Section section = new Section(reading, path, place);
    section.fill(entries);
    return section;
  }

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
      List<Node.Entry> entries, List<String> keys, Map<String, String> cures) {
    for (Node.Entry entry : entries) {
      if (entry.key() instanceof Node.Scalar key && !key.isNull() && !keys.contains(key.text())) {
        refuseUnknown(key, keys, cure(key.text(), cures));
      }
    }
  }

  private void refuseUnknown(Node.Scalar key, List<String> keys, Optional<String> cure) {
    reading
        .problems()
        .add(
            key.place(),
            reading.naming().apply(child(key.text())),
            Redacted.key(key.text()),
            cure.orElse("one of " + String.join(", ", keys)),
            cure.isPresent() ? Optional.empty() : Spelling.nearest(key.text(), keys));
  }

  private static Optional<String> cure(String key, Map<String, String> cures) {
    return Optional.ofNullable(cures.get(key)).or(() -> SplitLimit.cureOfKey(key));
  }

  private String child(String key) {
    String name = Redacted.isUri(key) ? "?" : Redacted.plain(key);
    return path.isEmpty() ? name : path + "." + name;
  }
}
