package dev.weir.config.internal.key;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The keys of one map of the configuration.
 *
 * @param expected what the map should be, for messages
 * @param keys in the order of the documents
 * @param required those of them without which the map is refused
 * @param hints what to expect instead of some unknown keys, such as those of other software
 * @param kinds of which the map is exactly one; empty where all maps are of one kind
 */
public record KeyGroup(
    String expected,
    List<Key<?>> keys,
    List<Key<?>> required,
    Map<String, String> hints,
    List<Kind> kinds) {

  /**
   * A kind of the map.
   *
   * @param key is in each map of this kind, and in no other
   * @param required those without which a map of this kind is refused
   * @param options further keys that maps of some kinds may not have
   */
  public record Kind(Key<?> key, List<Key<?>> required, List<Key<?>> options) {

    /** Returns a kind with these options, which requires nothing more. */
    public static Kind of(Key<?> key, Key<?>... options) {
      return new Kind(key, List.of(), List.of(options));
    }

    public List<Key<?>> keys() {
      return Stream.of(List.of(key), required, options).<Key<?>>flatMap(List::stream).toList();
    }
  }

  public static KeyGroup of(String expected, Key<?>... keys) {
    return new KeyGroup(expected, List.of(keys), List.of(), Map.of(), List.of());
  }

  public KeyGroup withHints(Map<String, String> others) {
    return new KeyGroup(expected, keys, required, others, kinds);
  }

  public KeyGroup requiring(Key<?>... some) {
    return new KeyGroup(expected, keys, List.of(some), hints, kinds);
  }

  /** Returns the group with the keys of these kinds before its own. */
  public KeyGroup withKinds(List<Kind> some) {
    List<Key<?>> all =
        Stream.concat(some.stream().flatMap(kind -> kind.keys().stream()), keys.stream())
            .distinct()
            .toList();
    return new KeyGroup(expected, all, required, hints, some);
  }

  /** Returns the kinds to which this key belongs; none where all maps may have it. */
  public List<Kind> kindsWith(Key<?> key) {
    return kinds.stream().filter(kind -> kind.keys().contains(key)).toList();
  }

  public static String names(List<Kind> kinds, String separator) {
    return kinds.stream().map(kind -> kind.key().name()).collect(Collectors.joining(separator));
  }

  /** Returns the value as a section of these keys. Reports others, and a value that is no map. */
  public Optional<Section> read(Value value) {
    Optional<Section> section = value.names(expected);
    section.ifPresent(it -> it.refuseOthers(keys.stream().map(Key::name).toList(), hints));
    return section;
  }

  /**
   * Returns the kind of a map. Reports that there is none, or more than one: then the result is
   * empty. Also reports what belongs to other kinds.
   */
  public Optional<Kind> kind(Section map) {
    List<Kind> found = kinds.stream().filter(kind -> kind.key().isIn(map)).toList();
    String oneOfAll = "one of " + names(kinds, ", ");
    if (found.isEmpty()) {
      map.missing(kinds.get(0).key().name(), oneOfAll);
      return Optional.empty();
    }
    Kind first = found.get(0);
    for (Kind other : found.subList(1, found.size())) {
      String both = other.key().name() + " together with " + first.key().name();
      other.key().written(map).ifPresent(value -> value.problem(both, "only " + oneOfAll));
    }
    for (Key<?> key : keys) {
      List<Kind> owners = kindsWith(key);
      if (!owners.isEmpty() && Collections.disjoint(owners, found)) {
        String expected = "no " + key.name() + ", which belongs to " + names(owners, " or ");
        key.written(map).ifPresent(value -> value.refuse(expected));
      }
    }
    return found.size() == 1 ? Optional.of(first) : Optional.empty();
  }
}
