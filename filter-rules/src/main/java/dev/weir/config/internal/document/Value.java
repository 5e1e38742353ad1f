package dev.weir.config.internal.document;

import dev.weir.internal.InvalidValueException;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spans;
import dev.weir.internal.Spelling;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A value of the configuration and the path that leads to it. Each read returns the requested type,
 * or reports a problem and returns empty. A caller never has to report the problem again.
 *
 * @param shown the only way in which messages show it
 */
public record Value(Reading reading, String path, Node node, UnaryOperator<String> shown) {

  /** What a length of time looks like. */
  public static final String DURATION = "a length of time with its unit, such as 100ms or 2s";

  /** How much of a long value errors always show. */
  private static final int SHOWN = 80;

  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+(_[0-9]+)*");
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([0-9]{1,12})\\s*([a-z]+)");
  private static final List<String> UNITS_OF_TIME = List.of("ms", "s", "m", "h");

  public Value(Reading reading, String path, Node node) {
    this(reading, path, node, UnaryOperator.identity());
  }

  public Value shownAs(UnaryOperator<String> other) {
    return new Value(reading, path, node, other);
  }

  public boolean isMapping() {
    return node instanceof Node.Mapping;
  }

  /** Returns whether it is a scalar without content: null, or empty after substitution. */
  public boolean isEmpty() {
    return node instanceof Node.Scalar scalar
        && (scalar.isNull() || plain().filter(String::isBlank).isPresent());
  }

  public boolean isText(String text) {
    return plain().filter(found -> found.strip().equals(text)).isPresent();
  }

  public boolean isLike(Pattern pattern) {
    return plain().filter(found -> pattern.matcher(found.strip()).matches()).isPresent();
  }

  /** Returns what was probably meant, if it is one of these mistakes. */
  public Optional<String> meant(Mistakes mistakes) {
    return plain().flatMap(text -> mistakes.meant(text.strip()));
  }

  /** Returns the text of a scalar after substitution. Reports no problem. */
  private Optional<String> plain() {
    return node instanceof Node.Scalar scalar
        ? reading.substituted(scalar.text(), (found, expected) -> {})
        : Optional.empty();
  }

  /** Returns the non-blank text of a scalar, substituted and without surrounding blanks. */
  public Optional<String> text(String expected) {
    if (!(node instanceof Node.Scalar scalar)) {
      return refuse(expected);
    }
    Optional<String> text = reading.substituted(scalar.text(), this::problem).map(String::strip);
    return text.isPresent() && (scalar.isNull() || text.get().isEmpty()) ? refuse(expected) : text;
  }

  /** Parses the items of a list. Each problem is reported at its own item. */
  public <T> List<T> each(String expected, Function<String, T> parser) {
    return each(expected, parser, text -> Optional.empty());
  }

  public <T> List<T> each(
      String expected, Function<String, T> parser, Function<String, Optional<String>> nearest) {
    return items(expected).stream()
        .flatMap(item -> item.parsed(expected, parser, nearest).stream())
        .toList();
  }

  public <T> Optional<T> parsed(String expected, Function<String, T> parser) {
    return parsed(expected, parser, text -> Optional.empty());
  }

  /**
   * Parses the text. The error of the core about it becomes a problem of this value.
   *
   * @param nearest what was probably meant by a text, if the error suggests nothing
   */
  public <T> Optional<T> parsed(
      String expected, Function<String, T> parser, Function<String, Optional<String>> nearest) {
    return text(expected)
        .flatMap(
            text ->
                made(
                    () -> parser.apply(text),
                    refused -> part(refused, text),
                    () -> nearest.apply(text)));
  }

  /** Returns the value that was refused, and its field if it is only a part of the text. */
  private static String part(InvalidValueException refused, String text) {
    String start = Redaction.printable(text.substring(0, Math.min(SHOWN, text.length())));
    return refused.value().contains(start) || Redaction.isUri(text)
        ? Redaction.quoted(text)
        : named(refused) + " in " + Redaction.quoted(text);
  }

  private static String named(InvalidValueException refused) {
    return refused.field() + " " + Redaction.plain(refused.value());
  }

  /**
   * Makes an object of this value and others. The error of the core becomes a problem of this
   * value. It names the field, since that may be one of the others.
   */
  public <T> Optional<T> make(Supplier<T> maker) {
    return made(maker, Value::named, Optional::empty);
  }

  /**
   * Makes an object. The error of the core is about this value, and shows what the message may show
   * of it.
   */
  public <T> Optional<T> check(Supplier<T> maker) {
    return made(maker, refused -> Redaction.plain(refused.value()), Optional::empty);
  }

  private <T> Optional<T> made(
      Supplier<T> maker,
      Function<InvalidValueException, String> found,
      Supplier<Optional<String>> nearest) {
    try {
      return Optional.of(maker.get());
    } catch (InvalidValueException refused) {
      problem(
          shown.apply(found.apply(refused)), refused.expected(), refused.suggestion().or(nearest));
      return Optional.empty();
    }
  }

  public Optional<Long> whole(long least, long most) {
    String range =
        most == Long.MAX_VALUE ? " of at least " + least : " from " + least + " to " + most;
    String expected = "a whole number" + range;
    Optional<String> text = text(expected);
    Optional<Long> number =
        text.flatMap(Value::number).filter(found -> found >= least && found <= most);
    if (text.isPresent() && number.isEmpty()) {
      problem(found(), expected, text.flatMap(Mistakes.NUMBER::meant));
    }
    return number;
  }

  private static Optional<Long> number(String text) {
    try {
      return WHOLE.matcher(text).matches()
          ? Optional.of(Long.parseLong(text.replace("_", "")))
          : Optional.empty();
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  /** Returns a length of time within these bounds. A number without a unit is ambiguous. */
  public Optional<Duration> duration(Duration least, Duration most) {
    Optional<Duration> length = text(DURATION).flatMap(this::duration);
    boolean isWithin =
        length.filter(it -> it.compareTo(least) >= 0 && it.compareTo(most) <= 0).isPresent();
    return length.isEmpty() || isWithin
        ? length
        : refuse("from " + print(least) + " to " + print(most));
  }

  /** Returns the length of time that this part of the value is. */
  public Optional<Duration> duration(String part) {
    Optional<Duration> length = Spans.parse(part);
    if (length.isEmpty()) {
      problem(found(), DURATION, nearestDuration(part));
    }
    return length;
  }

  /** Translates ISO 8601, which no other setting uses, and corrects a unit. */
  private static Optional<String> nearestDuration(String text) {
    try {
      return Optional.of(print(Duration.parse(text)));
    } catch (DateTimeParseException notIso) {
      Matcher form = NUMBER_AND_UNIT.matcher(text);
      return form.matches()
          ? Spelling.nearest(form.group(2), UNITS_OF_TIME).map(unit -> form.group(1) + unit)
          : Optional.empty();
    }
  }

  /** Returns the length of time in its largest unit that is whole, without minutes and hours. */
  public static String print(Duration length) {
    if (length.toDays() > 0 && length.equals(Duration.ofDays(length.toDays()))) {
      return length.toDays() + "d";
    }
    return length.toMillis() % 1000 == 0 ? length.toSeconds() + "s" : length.toMillis() + "ms";
  }

  public Optional<String> oneOf(List<String> choices) {
    return oneOf(choices, Mistakes.CHOICE::meant);
  }

  /** Returns one of these choices. What another word means comes before how it is spelled. */
  public Optional<String> oneOf(List<String> choices, Function<String, Optional<String>> meant) {
    String expected = String.join(", ", choices);
    Optional<String> text = text(expected);
    if (text.isPresent() && !choices.contains(text.get())) {
      problem(
          found(),
          expected,
          meant
              .apply(text.get())
              .filter(choices::contains)
              .or(() -> Spelling.nearest(text.get(), choices)));
    }
    return text.filter(choices::contains);
  }

  /** Returns the constant of this name, which is written in lower case and with hyphens. */
  public <E extends Enum<E>> Optional<E> oneOf(Class<E> type) {
    List<String> names =
        Stream.of(type.getEnumConstants())
            .map(constant -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .toList();
    return oneOf(names).map(name -> type.getEnumConstants()[names.indexOf(name)]);
  }

  /** Returns an instance of the user's class of this name, which must be of this type. */
  public <T> Optional<T> instance(Class<T> type) {
    Optional<String> name = text("the name of a class that implements " + type.getName());
    if (name.isEmpty()) {
      return Optional.empty();
    }
    String named = "class " + Redaction.quoted(name.get());
    try {
      Class<?> loaded = Class.forName(name.get(), true, reading.classLoader());
      if (!type.isAssignableFrom(loaded)) {
        problem(named, "a class that implements " + type.getName());
        return Optional.empty();
      }
      return Optional.of(type.cast(loaded.getConstructor().newInstance()));
    } catch (ClassNotFoundException | LinkageError absent) {
      Optional<T> standIn = reading.assumptions().standIn(name.get(), type);
      if (standIn.isPresent()) {
        return standIn;
      }
      problem(named, "a class that the application can load");
    } catch (InvocationTargetException failed) {
      problem(
          named + ", which threw " + failed.getTargetException().getClass().getName(),
          "a class that can be made");
    } catch (ReflectiveOperationException inaccessible) {
      problem(named, "a public class with a public constructor without parameters");
    }
    return Optional.empty();
  }

  /** Notes that this rule is left out, unless a problem in the file is the reason. */
  public void leaveOut(String rule) {
    if (!reading.hasProblems()) {
      reading.assumptions().leftOut(rule);
    }
  }

  /** Returns whether the file that this value names, and that is missing, is assumed. */
  public boolean isAssumedFile() {
    return reading.assumptions().hasFile(found());
  }

  /** Returns the items of a list. A scalar is a list of one. */
  public List<Value> items(String expected) {
    if (node instanceof Node.Scalar && !isEmpty()) {
      return List.of(this);
    }
    if (!(node instanceof Node.Sequence sequence) || sequence.items().isEmpty()) {
      refuse(expected);
      return List.of();
    }
    List<Value> items = new ArrayList<>();
    for (Node item : sequence.items()) {
      items.add(new Value(reading, path + "[" + items.size() + "]", item, shown));
    }
    return items;
  }

  public List<Value> itemsOrMap(String expected) {
    return isMapping() ? List.of(this) : items(expected);
  }

  /** Returns this value as a section with any keys. */
  public Optional<Section> names(String expected) {
    return node instanceof Node.Mapping map
        ? Optional.of(new Section(this, map))
        : refuse(expected);
  }

  /** Reports that this value is not as expected. Returns no result. */
  public <T> Optional<T> refuse(String expected) {
    problem(found(), expected);
    return Optional.empty();
  }

  public void problem(String found, String expected) {
    problem(found, expected, Optional.empty());
  }

  public void problem(String found, String expected, Optional<String> suggestion) {
    reading.problem(node.place(), path, found, expected, suggestion);
  }

  public String found() {
    if (node instanceof Node.Sequence sequence) {
      return sequence.items().isEmpty() ? "an empty list" : "a list";
    }
    if (!(node instanceof Node.Scalar scalar)) {
      return "a map";
    }
    String text = plain().orElse(scalar.text());
    return scalar.isNull() || text.isBlank() ? "nothing" : shown.apply(Redaction.quoted(text));
  }
}
