package dev.weir.config.internal.document;

import dev.weir.internal.InvalidValueException;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spans;
import dev.weir.internal.Spelling;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value of the configuration and the path that leads to it. Each read returns the requested type,
 * or reports a problem and returns empty. A caller never has to report the problem again.
 */
public final class Value {

  /** What a length of time looks like. */
  public static final String DURATION = "a length of time with its unit, such as 100ms or 2s";

  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+(_[0-9]+)*");
  private static final Pattern SIZE = Pattern.compile("[0-9][0-9_.]*\\s*\\p{L}+");
  private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([0-9]{1,12})\\s*([a-z]+)");
  private static final List<String> UNITS_OF_TIME = List.of("ms", "s", "m", "h");

  private final Reading reading;
  private final String path;
  private final Node node;
  private final UnaryOperator<String> shown;

  private Value(Reading reading, String path, Node node, UnaryOperator<String> shown) {
    this.reading = reading;
    this.path = path;
    this.node = node;
    this.shown = shown;
  }

  /** Returns the value of this node, to which this path leads. */
  public static Value of(Reading reading, String path, Node node) {
    return new Value(reading, path, node, UnaryOperator.identity());
  }

  /** Returns the same value, shown in messages only through this function. */
  public Value shownAs(UnaryOperator<String> shown) {
    return new Value(reading, path, node, shown);
  }

  /** Returns whether it is a map. */
  public boolean isMapping() {
    return node instanceof Node.Mapping;
  }

  /** Returns whether it is a scalar without content: null, or empty after substitution. */
  public boolean isEmpty() {
    return node instanceof Node.Scalar scalar
        && (scalar.isNull() || plain().filter(String::isBlank).isPresent());
  }

  /** Returns whether it is a scalar of exactly this text. */
  public boolean isText(String text) {
    return plain().filter(found -> found.strip().equals(text)).isPresent();
  }

  /** Returns whether it is a number followed by a unit. */
  public boolean isSize() {
    return isLike(SIZE);
  }

  /** Returns whether it is a scalar with a text that matches this pattern. */
  boolean isLike(Pattern pattern) {
    return plain().filter(found -> pattern.matcher(found.strip()).matches()).isPresent();
  }

  /** Returns the text of a scalar after substitution. Reports no problem. */
  private Optional<String> plain() {
    return node instanceof Node.Scalar scalar
            && reading.substituted(scalar.text()) instanceof Substitution.Result.Text to
        ? Optional.of(to.text())
        : Optional.empty();
  }

  /** Returns the non-blank text of a scalar, substituted and without surrounding blanks. */
  public Optional<String> text(String expected) {
    if (!(node instanceof Node.Scalar scalar)) {
      return refuse(expected);
    }
    Substitution.Result result = reading.substituted(scalar.text());
    if (result instanceof Substitution.Result.Wrong wrong) {
      problem(wrong.found(), wrong.expected());
      return Optional.empty();
    }
    String text = ((Substitution.Result.Text) result).text().strip();
    return scalar.isNull() || text.isEmpty() ? refuse(expected) : Optional.of(text);
  }

  /** Parses the text. The error of the core about it becomes a problem of this value. */
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
    Optional<String> text = text(expected);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(parser.apply(text.get()));
    } catch (InvalidValueException refused) {
      problem(
          shown.apply(part(refused, text.get())),
          refused.expected(),
          refused.suggestion().or(() -> nearest.apply(text.get())));
      return Optional.empty();
    }
  }

  /** Returns the value that was refused, and its field if it is only a part of the text. */
  private static String part(InvalidValueException refused, String text) {
    boolean isWhole =
        refused.value().contains(text)
            || refused.value().contains(Redacted.escaped(text))
            || refused.value().endsWith("..."); // a long value is cut
    return isWhole || Redaction.isUri(text)
        ? Redacted.quoted(text)
        : named(refused) + " in " + Redacted.quoted(text);
  }

  private static String named(InvalidValueException refused) {
    return refused.field() + " " + Redacted.plain(refused.value());
  }

  /**
   * Makes an object of this value and others. The error of the core becomes a problem of this
   * value. It names the field, since that may be one of the others.
   */
  public <T> Optional<T> make(Supplier<T> maker) {
    return made(maker, Value::named);
  }

  /**
   * Makes an object. The error of the core is about this value, and shows what the message may show
   * of it.
   */
  public <T> Optional<T> check(Supplier<T> maker) {
    return made(maker, refused -> Redacted.plain(refused.value()));
  }

  private <T> Optional<T> made(Supplier<T> maker, Function<InvalidValueException, String> found) {
    try {
      return Optional.of(maker.get());
    } catch (InvalidValueException refused) {
      problem(shown.apply(found.apply(refused)), refused.expected(), refused.suggestion());
      return Optional.empty();
    }
  }

  /** Returns a whole number within these bounds. */
  public Optional<Long> whole(long least, long most) {
    String range =
        most == Long.MAX_VALUE ? " of at least " + least : " from " + least + " to " + most;
    String expected = "a whole number" + range;
    Optional<String> text = text(expected);
    Optional<Long> number =
        text.flatMap(Value::number).filter(found -> found >= least && found <= most);
    if (text.isPresent() && number.isEmpty()) {
      problem(found(), expected, text.flatMap(SplitLimit::regrouped));
    }
    return number;
  }

  private static Optional<Long> number(String text) {
    if (!WHOLE.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.parseLong(text.replace("_", "")));
    } catch (NumberFormatException tooLarge) {
      return Optional.empty();
    }
  }

  /**
   * Returns a length of time within these bounds. A number without a unit is refused as ambiguous.
   */
  public Optional<Duration> duration(Duration least, Duration most) {
    Optional<Duration> length = text(DURATION).flatMap(this::duration);
    if (length.isPresent()
        && (length.get().compareTo(least) < 0 || length.get().compareTo(most) > 0)) {
      problem(found(), "from " + print(least) + " to " + print(most));
      return Optional.empty();
    }
    return length;
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

  private static String print(Duration length) {
    return length.toMillis() % 1000 == 0 ? length.toSeconds() + "s" : length.toMillis() + "ms";
  }

  /** Returns the choice of this name. Messages list the names in the order of the map. */
  public <T> Optional<T> oneOf(Map<String, T> choices) {
    String expected = String.join(", ", choices.keySet());
    Optional<String> text = text(expected);
    Optional<T> chosen = text.map(choices::get);
    if (text.isPresent() && chosen.isEmpty()) {
      problem(found(), expected, Spelling.nearest(text.get(), choices.keySet()));
    }
    return chosen;
  }

  /** Returns the constant of this name, which is written in lower case and with hyphens. */
  public <E extends Enum<E>> Optional<E> oneOf(Class<E> type) {
    Map<String, E> choices = new LinkedHashMap<>();
    for (E constant : type.getEnumConstants()) {
      choices.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
    }
    return oneOf(choices);
  }

  /** Returns true for the first of these two words, and false for the second. */
  public Optional<Boolean> flag(String on, String off) {
    Map<String, Boolean> choices = new LinkedHashMap<>();
    choices.put(on, true);
    choices.put(off, false);
    return oneOf(choices);
  }

  /** Returns the items of a list. A scalar is a list of one. */
  public List<Value> items(String expected) {
    if (node instanceof Node.Scalar && !isEmpty()) {
      return List.of(this);
    }
    if (!(node instanceof Node.Sequence sequence) || sequence.items().isEmpty()) {
      problem(found(), expected);
      return List.of();
    }
    List<Value> items = new ArrayList<>();
    for (Node item : sequence.items()) {
      items.add(new Value(reading, path + "[" + items.size() + "]", item, shown));
    }
    return items;
  }

  /** Returns this value as a section, with its keys checked. */
  public Optional<Section> section(String expected, List<String> keys) {
    return section(expected, keys, Map.of());
  }

  /**
   * Returns this value as a section, with its keys checked.
   *
   * @param hints what to expect instead of some unknown keys
   */
  public Optional<Section> section(String expected, List<String> keys, Map<String, String> hints) {
    return entries(expected).map(all -> Section.of(reading, path, node.place(), all, keys, hints));
  }

  /** Returns the named values in this map, with any names. */
  public Optional<Section> names(String expected) {
    return entries(expected).map(all -> Section.ofNames(reading, path, node.place(), all));
  }

  private Optional<List<Node.Entry>> entries(String expected) {
    return node instanceof Node.Mapping mapping ? Optional.of(mapping.entries()) : refuse(expected);
  }

  /** Reports a problem of this value. */
  public void problem(String found, String expected) {
    problem(found, expected, Optional.empty());
  }

  /** Reports a problem of this value. */
  public void problem(String found, String expected, Optional<String> suggestion) {
    reading.problem(node.place(), path, found, expected, suggestion);
  }

  /** Returns this value as a message shows it. */
  public String found() {
    if (node instanceof Node.Sequence sequence) {
      return sequence.items().isEmpty() ? "an empty list" : "a list";
    }
    if (!(node instanceof Node.Scalar scalar)) {
      return "a map";
    }
    String text = plain().orElse(scalar.text());
    return scalar.isNull() || text.isBlank() ? "nothing" : shown.apply(Redacted.quoted(text));
  }

  private <T> Optional<T> refuse(String expected) {
    problem(found(), expected);
    return Optional.empty();
  }
}
