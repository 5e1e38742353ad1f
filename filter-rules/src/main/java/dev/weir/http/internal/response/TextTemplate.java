package dev.weir.http.internal.response;

import dev.weir.internal.Expect;
import dev.weir.internal.JsonText;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A text with placeholders, cut at them. Braces with anything but one word in them are part of the
 * text, and so are those behind a dollar sign.
 *
 * @param texts one more than there are placeholders
 */
public record TextTemplate(List<String> texts, List<Placeholder> placeholders) {

  /** What a denial provides. */
  enum Name {
    SECONDS,
    LIMIT,
    RULE;

    String written() {
      return "{" + name().toLowerCase(Locale.ROOT) + "}";
    }
  }

  /**
   * One place to fill in.
   *
   * @param isWhole whether it is the whole of a JSON string, with its quotes
   */
  record Placeholder(Name name, boolean isWhole) {}

  private static final String WORD = "\\{([A-Za-z][A-Za-z0-9_-]*)}";
  private static final Pattern ANY = Pattern.compile("(?<!\\$)" + WORD);

  /** A JSON string that is a placeholder and nothing else, or one within a string. */
  private static final Pattern IN_JSON =
      Pattern.compile("(?<!\\\\)\"" + WORD + "\"(?=\\s*[,\\]}])|(?<!\\$)" + WORD);

  private static final int LONGEST_NAME = 128;
  private static final List<String> WRITTEN = Stream.of(Name.values()).map(Name::written).toList();

  /**
   * Returns the template of a header or a page.
   *
   * @param field names the text in messages
   * @throws IllegalArgumentException when a placeholder is unknown
   */
  public static TextTemplate of(String field, String text) {
    return cut(field, text, ANY);
  }

  /** Returns the template of a JSON text, as {@link #of} does. */
  public static TextTemplate ofJson(String field, String text) {
    return cut(field, text, IN_JSON);
  }

  private static TextTemplate cut(String field, String text, Pattern pattern) {
    List<String> texts = new ArrayList<>();
    List<Placeholder> placeholders = new ArrayList<>();
    Matcher found = pattern.matcher(text);
    int at = 0;
    while (found.find()) {
      boolean isWhole = text.charAt(found.start()) == '"';
      String written = isWhole ? found.group().replace("\"", "") : found.group();
      int known = WRITTEN.indexOf(written);
      if (known < 0) {
        throw Expect.failure(
            field,
            "'" + written + "'",
            "{seconds}, {limit} or {rule}; other braces have a blank in them, as in { x }",
            Spelling.nearest(written, WRITTEN));
      }
      texts.add(text.substring(at, found.start()));
      placeholders.add(new Placeholder(Name.values()[known], isWhole));
      at = found.end();
    }
    texts.add(text.substring(at));
    return new TextTemplate(List.copyOf(texts), List.copyOf(placeholders));
  }

  /** Returns how many characters it has at most with its values. */
  public int longest() {
    return texts.stream().mapToInt(String::length).sum() + placeholders.size() * LONGEST_NAME;
  }

  /** Returns the value of a header. Empty if a placeholder has no value. */
  Optional<String> header(DenialFacts facts) {
    boolean isComplete =
        placeholders.stream().allMatch(place -> facts.value(place.name()).isPresent());
    return isComplete
        ? Optional.of(filled(place -> printable(facts.value(place.name()).orElse(""))))
        : Optional.empty();
  }

  String html(DenialFacts facts) {
    return filled(place -> escapedForHtml(facts.value(place.name()).orElse("")));
  }

  String json(DenialFacts facts) {
    return filled(
        place -> {
          Optional<String> value = facts.value(place.name()).map(JsonText::escaped);
          if (!place.isWhole()) {
            return value.orElse("");
          }
          String quote = place.name() == Name.SECONDS ? "" : "\"";
          return value.map(text -> quote + text + quote).orElse("null");
        });
  }

  private String filled(Function<Placeholder, String> values) {
    StringBuilder filled = new StringBuilder(texts.get(0));
    for (int i = 0; i < placeholders.size(); i++) {
      filled.append(values.apply(placeholders.get(i))).append(texts.get(i + 1));
    }
    return filled.toString();
  }

  /** Replaces what a field may not contain. The name of a rule in code may be any text. */
  private static String printable(String value) {
    return value.replaceAll("[^ -~]", "?");
  }

  private static String escapedForHtml(String value) {
    return value
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
