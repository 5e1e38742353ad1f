package dev.weir.config.internal.key;

import dev.weir.config.internal.document.Mistakes;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.internal.ByteUnit;
import dev.weir.internal.Expect;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The type of a key's value. It reads the value, and is all that the page of keys and the JSON
 * Schema know of it.
 *
 * @param <T> what a value becomes
 */
public sealed interface ValueType<T> {

  /** Returns what the value becomes. Otherwise, reports a problem and returns empty. */
  Optional<T> read(Value value);

  /** Returns the keys of the map that a value, or an item of it, may be. */
  default Optional<KeyGroup> group() {
    return Optional.empty();
  }

  /**
   * Returns a regular expression for what separates the items of a list in an init-param, which is
   * one text; empty without a list.
   */
  default String separator() {
    return "";
  }

  /** A whole number within these bounds. */
  record Whole(int least, int most) implements ValueType<Integer> {

    @Override
    public Optional<Integer> read(Value value) {
      return value.whole(least, most).map(Math::toIntExact);
    }
  }

  /** A whole number within these bounds. */
  record Count(long least, long most) implements ValueType<Long> {

    @Override
    public Optional<Long> read(Value value) {
      return value.whole(least, most);
    }
  }

  /** A number of permits, or the size in bytes that they are. */
  record Amount() implements ValueType<Long> {

    static final String EXPECTED = "a number, or a size such as 16 KiB";
    private static final Pattern SIZE = Pattern.compile("[0-9][0-9_.]*\\s*\\p{L}+");

    @Override
    public Optional<Long> read(Value value) {
      return value.isLike(SIZE)
          ? value.parsed(EXPECTED, Amount::bytes)
          : value.whole(1, Long.MAX_VALUE);
    }

    private static long bytes(String size) {
      long bytes = ByteUnit.parse(size);
      Expect.positive("size", bytes);
      return bytes;
    }
  }

  /** One word for true, and one for false. The words of other software are suggested. */
  record Flag(String on, String off) implements ValueType<Boolean> {

    public static final Flag TRUE_OR_FALSE = new Flag("true", "false");
    public static final Flag ON_OR_OFF = new Flag("on", "off");

    @Override
    public Optional<Boolean> read(Value value) {
      return value
          .oneOf(
              List.of(on, off),
              word -> Mistakes.FLAG.meant(word).map(meant -> meant.equals("true") ? on : off))
          .map(on::equals);
    }
  }

  /** The name of a constant, in lower case and with hyphens. */
  record Choice<E extends Enum<E>>(Class<E> constants) implements ValueType<E> {

    @Override
    public Optional<E> read(Value value) {
      return value.oneOf(constants);
    }
  }

  /** A length of time within these bounds. */
  record Length(Duration least, Duration most) implements ValueType<Duration> {

    @Override
    public Optional<Duration> read(Value value) {
      return value.duration(least, most);
    }
  }

  /** The name of the user's class that implements this type. */
  record Instance<T>(Class<T> type) implements ValueType<T> {

    @Override
    public Optional<T> read(Value value) {
      return value.instance(type);
    }
  }

  /**
   * A text. Every valid one matches the form, and some invalid ones may match it too.
   *
   * @param expected what it should be, for messages and documents
   * @param check throws where the text is not as expected
   */
  record Text(String expected, Pattern form, Consumer<String> check) implements ValueType<String> {

    @Override
    public Optional<String> read(Value value) {
      return value.parsed(
          expected,
          text -> {
            check.accept(text);
            return text;
          });
    }
  }

  /** A map with the keys of this group. */
  record Mapping(KeyGroup keys) implements ValueType<Section> {

    @Override
    public Optional<Section> read(Value value) {
      return keys.read(value);
    }

    @Override
    public Optional<KeyGroup> group() {
      return Optional.of(keys);
    }
  }

  /** A type whose values have a reader of their own. */
  sealed interface ReadElsewhere extends ValueType<Value> {

    @Override
    default Optional<Value> read(Value value) {
      return Optional.of(value);
    }
  }

  /** A text. Every valid one matches the form, and some invalid ones may match it too. */
  record Form(String expected, Pattern form) implements ReadElsewhere {

    public Form(String expected, String form) {
      this(expected, Pattern.compile(form));
    }

    /** This word alone. */
    public Form(String word) {
      this(word, word);
    }
  }

  /** One item, or a list of them. */
  record Items(String expected, ValueType<?> each, String separator) implements ReadElsewhere {

    public Items(String expected, ValueType<?> each) {
      this(expected, each, ",|\\R");
    }

    /** One text of this form, or a list of them. */
    public Items(String expected, Pattern form) {
      this(expected, new Form(expected, form));
    }

    @Override
    public Optional<KeyGroup> group() {
      return each.group();
    }
  }

  /** A map of texts, numbers, flags, lists and maps, as a JSON object has them. */
  record JsonObject(String expected) implements ReadElsewhere {}

  /** A map with names that the user chooses. */
  record ByName(String expected, ValueType<?> each) implements ValueType<Section> {

    @Override
    public Optional<Section> read(Value value) {
      return value.names(expected);
    }
  }

  /** One of several types. */
  record AnyOf(String expected, List<ValueType<?>> types) implements ReadElsewhere {

    public AnyOf(String expected, ValueType<?>... types) {
      this(expected, List.of(types));
    }

    @Override
    public Optional<KeyGroup> group() {
      return types.stream().flatMap(type -> type.group().stream()).findFirst();
    }

    @Override
    public String separator() {
      return types.stream().map(ValueType::separator).collect(Collectors.joining());
    }
  }
}
