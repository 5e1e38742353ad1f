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

  /** Returns the init-param of the filter that sets it, if one does. */
  Optional<Param> param();

  /** Returns a key without a default, which its init-param cannot set. */
  static <T> Plain<T> of(String name, ValueType<T> type, String meaning, String example) {
    return new Plain<>(name, type, new About(meaning, "", example, false), Optional.empty());
  }

  default boolean isIn(Section section) {
    return section.has(name());
  }

  /** Returns the value as it is written. */
  default Optional<Value> written(Section section) {
    return section.value(name());
  }

  /** Returns the value, or empty if the key is missing or its value has a problem. */
  default Optional<T> in(Section section) {
    return written(section).flatMap(type()::read);
  }

  /** Returns the value as written. Reports a missing one. */
  default Optional<Value> required(Section section, String expected) {
    return section.required(name(), expected);
  }

  /** A key without a value that holds by default. */
  record Plain<T>(String name, ValueType<T> type, About about, Optional<Param> param)
      implements Key<T> {

    /** Returns it with what holds by default, in words. */
    public Plain<T> otherwise(String words) {
      About inWords = new About(about.meaning, words, about.example, about.needsRestart);
      return new Plain<>(name, type, inWords, param);
    }

    /** Returns it as a key of which a reload refuses another value. */
    public Plain<T> needsRestart() {
      About fixed = new About(about.meaning, about.byDefault, about.example, true);
      return new Plain<>(name, type, fixed, param);
    }

    /** Returns it with an init-param of the same name. */
    public Plain<T> inParams() {
      return inParams(name, "");
    }

    public Plain<T> inParams(String paramName, String separator) {
      return new Plain<>(name, type, about, Optional.of(new Param(paramName, separator)));
    }

    /** Returns it with a value that holds by default. */
    public Defaulted<T> or(T fallback) {
      return new Defaulted<>(name, type, about, param, fallback);
    }
  }

  /** A key with a value that holds by default. */
  record Defaulted<T>(
      String name, ValueType<T> type, About about, Optional<Param> param, T fallback)
      implements Key<T> {

    /** Returns the value, or the default if the key is missing or its value has a problem. */
    public T orDefault(Section section) {
      return in(section).orElse(fallback);
    }
  }

  /**
   * What the documents say of a key.
   *
   * @param meaning one sentence
   * @param byDefault what holds without the key, where that is no value
   * @param example a value, as it is written in a file
   * @param needsRestart whether a reload refuses another value
   */
  record About(String meaning, String byDefault, String example, boolean needsRestart) {}

  /**
   * An init-param.
   *
   * @param separator a regular expression that separates the items of a list; empty without a list
   */
  record Param(String name, String separator) {}
}
