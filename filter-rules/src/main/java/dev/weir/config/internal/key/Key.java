package dev.weir.config.internal.key;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import java.util.Optional;

/**
 * One key of the configuration. Immutable.
 *
 * @param <T> what its value becomes
 */
public sealed interface Key<T> {

  String name();

  ValueType<T> type();

  About about();

  /** Returns a key without a default that no init-param sets. */
  static <T> Plain<T> of(String name, ValueType<T> type, String example) {
    return new Plain<>(name, type, new About("", "", example, false, Optional.empty()));
  }

  /** Returns a key without a default that the init-param of the same name sets too. */
  static <T> Plain<T> ofParam(String name, ValueType<T> type, String example) {
    return of(name, type, example).param(name);
  }

  default boolean isIn(Section section) {
    return written(section).isPresent();
  }

  default Optional<Value> written(Section section) {
    return section.value(name());
  }

  /** Returns the value, or empty if the key is missing or its value has a problem. */
  default Optional<T> in(Section section) {
    return written(section).flatMap(type()::read);
  }

  /** Returns the section of this key, which is empty where the key is missing or no map. */
  static Section section(Key<Section> key, Section parent) {
    return key.in(parent).orElseGet(() -> parent.empty(key.name()));
  }

  /** Returns the value as written. Reports a missing one. */
  default Optional<Value> required(Section section, String expected) {
    if (!isIn(section)) {
      section.missing(name(), expected);
    }
    return written(section);
  }

  /** A key without a value that holds by default. */
  record Plain<T>(String name, ValueType<T> type, About about) implements Key<T> {

    /** Returns it with its meaning, in one sentence or two. */
    public Plain<T> means(String meaning) {
      return about(meaning, about.byDefault, about.needsRestart, about.param);
    }

    /** Returns it with what holds by default, in words. */
    public Plain<T> otherwise(String words) {
      return about(about.meaning, words, about.needsRestart, about.param);
    }

    /** Returns it as a key of which a reload refuses another value. */
    public Plain<T> needsRestart() {
      return about(about.meaning, about.byDefault, true, about.param);
    }

    /** Returns it as a key that this init-param sets too. */
    public Plain<T> param(String param) {
      return about(about.meaning, about.byDefault, about.needsRestart, Optional.of(param));
    }

    private Plain<T> about(
        String meaning, String byDefault, boolean needsRestart, Optional<String> param) {
      return new Plain<>(
          name, type, new About(meaning, byDefault, about.example, needsRestart, param));
    }

    /** Returns it with a value that holds by default. */
    public Defaulted<T> or(T fallback) {
      return new Defaulted<>(name, type, about, fallback);
    }
  }

  /** A key with a value that holds by default. */
  record Defaulted<T>(String name, ValueType<T> type, About about, T fallback) implements Key<T> {

    /** Returns the value, or the default if the key is missing or its value has a problem. */
    public T orDefault(Section section) {
      return in(section).orElse(fallback);
    }
  }

  /**
   * What the documents say of a key.
   *
   * @param byDefault what holds without the key, where that is no value
   * @param example a value, as it is written in a file
   * @param param the init-param of the filter that sets it, if one does
   */
  record About(
      String meaning,
      String byDefault,
      String example,
      boolean needsRestart,
      Optional<String> param) {}
}
