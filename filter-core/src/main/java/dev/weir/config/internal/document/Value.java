package dev.weir.config.internal.document;

import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A value of the configuration and the path that leads to it. Each read returns the requested type,
 * or reports a problem and returns empty. A caller never has to report the problem again.
 */
public final class Value {

  private static final Pattern WHOLE = Pattern.compile("[+-]?[0-9]+(_[0-9]+)*");
  private static final Pattern SIZE = Pattern.compile("[0-9][0-9_.]*\\s*\\p{L}+");

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

  public static Value of(Reading reading, String path, Node node) {
    return new Value(reading, path, node, UnaryOperator.identity());
  }

  /** Returns the same value, shown in messages only through this function. */
  public Value shownAs(UnaryOperator<String> shown) {
    return new Value(reading, path, node, shown);
  }

  public boolean isMapping() {
    return node instanceof Node.Mapping;
  }

  /** Returns whether it is a scalar without content: null, or empty after substitution. */
  public boolean isEmpty() {
    return node instanceof Node.Scalar scalar
        && (scalar.isNull()
            || (reading.substitution().apply(scalar.text()) instanceof Substitution.Result.Text to
                && to.text().isBlank()));
  }

  /** Returns whether it is a scalar of exactly this text. */
  public boolean isText(String text) {
    return node instanceof Node.Scalar scalar
        && reading.substitution().apply(scalar.text()) instanceof Substitution.Result.Text to
        && to.text().strip().equals(text);
  }

  /** Returns the non-blank text of a scalar, substituted and without surrounding blanks. */
  public Optional<String> text(String expected) {
    if (!(node instanceof Node.Scalar scalar)) {
      return complain(expected);
    }
    Substitution.Result result = reading.substitution().apply(scalar.text());
    if (result instanceof Substitution.Result.Wrong wrong) {
      problem(wrong.found(), wrong.expected());
      return Optional.empty();
    }
    String text = ((Substitution.Result.Text) result).text().strip();
    return scalar.isNull() || text.isEmpty() ? complain(expected) : Optional.of(text);
  }

  /**
   * Parses the text. The parser's error, in the usual form {@code field: value (expected: …)},
   * becomes a problem of this field.
   */
  public <T> Optional<T> parsed(String expected, Function<String, T> parser) {
    return text(expected).flatMap(text -> parsed(expected, text, parser));
  }

  private <T> Optional<T> parsed(String expected, String text, Function<String, T> parser) {
    try {
      return Optional.of(parser.apply(text));
    } catch (IllegalArgumentException refused) {
      ParseError parseError = ParseError.of(refused, text, expected);
      problem(shown.apply(parseError.found()), parseError.expected(), parseError.suggestion());
      return Optional.empty();
    }
  }

  /**
   * Makes an object of this value and others. The maker's error becomes a problem of this value.
   */
  public <T> Optional<T> making(String expected, Supplier<T> maker) {
    try {
      return Optional.of(maker.get());
    } catch (IllegalArgumentException refused) {
      ParseError parseError = ParseError.of(refused, expected);
      problem(shown.apply(parseError.found()), parseError.expected(), parseError.suggestion());
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
      problem(found(), expected, text.flatMap(SplitLimit::regrouped));
    }
    return number;
  }

  /** Returns whether it is a number followed by a unit. */
  public boolean isSize() {
    return isLike(SIZE);
  }

  /** Returns whether it is a scalar with a text that matches this pattern. */
  boolean isLike(Pattern pattern) {
    return node instanceof Node.Scalar scalar
        && reading.substitution().apply(scalar.text()) instanceof Substitution.Result.Text to
        && pattern.matcher(to.text().strip()).matches();
  }

  public <T> Optional<T> oneOf(Map<String, T> choices) {
    String expected = String.join(", ", choices.keySet());
    Optional<String> text = text(expected);
    Optional<T> chosen = text.map(choices::get);
    if (text.isPresent() && chosen.isEmpty()) {
      problem(found(), expected, Spelling.nearest(text.get(), choices.keySet()));
    }
    return chosen;
  }

  public Optional<Boolean> flag() {
    return oneOf(Choices.FLAG);
  }

  /** Returns the items of a list. A scalar is a list of one. */
  public List<Value> items(String expected) {
    if (node instanceof Node.Scalar) {
      return isEmpty() ? complain(expected, List.of()) : List.of(this);
    }
    if (!(node instanceof Node.Sequence sequence) || sequence.items().isEmpty()) {
      return complain(expected, List.of());
    }
    List<Value> items = new ArrayList<>();
    for (Node item : sequence.items()) {
      items.add(new Value(reading, path + "[" + items.size() + "]", item, shown));
    }
    return items;
  }

  /** Returns the texts of a list, and skips items that have none. */
  List<String> texts(String expected) {
    return items(expected).stream().flatMap(item -> item.text(expected).stream()).toList();
  }

  /** Returns this value as a section, with its keys checked. */
  public Optional<Section> section(String expected, List<String> keys) {
    return section(expected, keys, Map.of());
  }

  /**
   * Returns this value as a section, with its keys checked.
   *
   * @param cures what to expect instead of some unknown keys
   */
  public Optional<Section> section(String expected, List<String> keys, Map<String, String> cures) {
    return entries(expected).map(all -> Section.of(reading, path, node.place(), all, keys, cures));
  }

  /** Returns the named values in this map, with any names. */
  public Optional<Section> names(String expected) {
    return entries(expected).map(all -> Section.ofNames(reading, path, node.place(), all));
  }

  private Optional<List<Node.Entry>> entries(String expected) {
    return node instanceof Node.Mapping mapping
        ? Optional.of(mapping.entries())
        : complain(expected);
  }

  public void problem(String found, String expected) {
    problem(found, expected, Optional.empty());
  }

  public void problem(String found, String expected, Optional<String> suggestion) {
    reading.problems().add(node.place(), reading.naming().apply(path), found, expected, suggestion);
  }

  /** Returns this value as a message shows it. */
  public String found() {
    if (node instanceof Node.Sequence sequence) {
      return sequence.items().isEmpty() ? "an empty list" : "a list";
    }
    if (!(node instanceof Node.Scalar scalar)) {
      return "a map";
    }
    String text = substituted(scalar.text());
    return scalar.isNull() || text.isBlank() ? "nothing" : shown.apply(Redacted.quoted(text));
  }

  private String substituted(String written) {
    return reading.substitution().apply(written) instanceof Substitution.Result.Text to
        ? to.text()
        : written;
  }

  private <T> Optional<T> complain(String expected) {
    problem(found(), expected);
    return Optional.empty();
  }

  private <T> T complain(String expected, T instead) {
    problem(found(), expected);
    return instead;
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
}
