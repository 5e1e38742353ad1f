package dev.weir.config.internal.key;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys of one map of the configuration.
 *
 * @param expected what the map should be, for messages
 * @param keys in the order of the documents
 * @param required those of them without which the map is refused
 * @param hints what to expect instead of some unknown keys, such as those of other software
 */
public record KeyGroup(
    String expected, List<Key<?>> keys, List<Key<?>> required, Map<String, String> hints) {

  public KeyGroup {
    keys = List.copyOf(keys);
    required = List.copyOf(required);
    hints = Map.copyOf(hints);
  }

  public static KeyGroup of(String expected, Key<?>... keys) {
    return new KeyGroup(expected, List.of(keys), List.of(), Map.of());
  }

  public KeyGroup withHints(Map<String, String> others) {
    return new KeyGroup(expected, keys, required, others);
  }

  public KeyGroup requiring(Key<?>... some) {
    return new KeyGroup(expected, keys, List.of(some), hints);
  }

  /** Returns the section of this key, which is empty where the key is missing or no map. */
  public Section in(Section parent, Key<Section> key) {
    return key.in(parent).orElseGet(() -> parent.empty(key.name()));
  }

  /** Returns the value as a section of these keys. Reports others, and a value that is no map. */
  public Optional<Section> read(Value value) {
    return value.section(expected, keys.stream().map(Key::name).toList(), hints);
  }
}
