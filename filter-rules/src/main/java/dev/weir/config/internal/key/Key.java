package dev.weir.config.internal.key;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import java.util.Optional;

/**
 * One key of the configuration. Immutable.
 *
 * @param <T> what its value becomes
 * @param fallback what holds without the key, if it is a value
 * @param param the init-param of the filter that sets it, if one does
 */
public record Key<T>(
    String name, ValueType<T> type, Optional<T> fallback, About about, Optional<Param> param) {

  /**
   * What the documents say of a key.
   *
   * @param meaning one sentence
   * @param byDefault what holds without the key, where that is no value
   * @param example a value, as it is written in a file
   * @param needsRestart whether a reload refuses another value
   */
  public record About(String meaning, String byDefault, String example, boolean needsRestart) {}

  /**
   * An init-param.
   *
   * @param separator a regular expression that separates the items of a list; empty without a list
   */
  public record Param(String name, String separator) {}

  /** Returns a key without a default, which its init-param cannot set. */
  public static <T> Key<T> of(String name, ValueType<T> type, String meaning, String example) {
    return new Key<>(
        name, type, Optional.empty(), new About(meaning, "", example, false), Optional.empty());
  }

  /** Returns it with a value that holds by default. */
  public Key<T> or(T value) {
    return new Key<>(name, type, Optional.of(value), about, param);
  }

  /** Returns it with what holds by default, in words. */
  public Key<T> otherwise(String words) {
    About inWords = new About(about.meaning, words, about.example, about.needsRestart);
    return new Key<>(name, type, fallback, inWords, param);
  }

  /** Returns it as a key of which a reload refuses another value. */
  public Key<T> needsRestart() {
    About fixed = new About(about.meaning, about.byDefault, about.example, true);
    return new Key<>(name, type, fallback, fixed, param);
  }

  /** Returns it with an init-param of the same name. */
  public Key<T> inParams() {
    return inParams(name, "");
  }

  public Key<T> inParams(String paramName, String separator) {
    return new Key<>(name, type, fallback, about, Optional.of(new Param(paramName, separator)));
  }

  public boolean isIn(Section section) {
    return section.has(name);
  }

  /** Returns the value as it is written. */
  public Optional<Value> written(Section section) {
    return section.value(name);
  }

  /** Returns the value, or empty if the key is missing or its value has a problem. */
  public Optional<T> in(Section section) {
    return section.value(name).flatMap(type::read);
  }

  /** Returns the value, or the default if the key is missing or its value has a problem. */
  public T orDefault(Section section) {
    return in(section).or(() -> fallback).orElseThrow(IllegalStateException::new);
  }

  /** Returns the value as written. Reports a missing one. */
  public Optional<Value> required(Section section, String expected) {
    return section.required(name, expected);
  }
}
