package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Documents;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each warning, each error and each advice of the code has an entry on the page, and each entry is
 * a message of the code.
 *
 * <p>An entry is a section of the page that begins with code spans. Each span is a line of the log,
 * or a part of one. The code is read as text: a message is literals with what is added to them. A
 * span has all parts of the message between the values that are inserted, in this order.
 */
class TroubleshootingTest {

  private static final String PAGE = "docs/troubleshooting.md";

  /** The code that users run. */
  private static final Pattern MAIN =
      Pattern.compile(
          "(filter-core|filter-rules|servlet-filter|jaxrs-provider|extras/[^/]+)"
              + "/src/main/java/.+\\.java");

  private static final String LITERAL = "\"([^\"\\\\\\n]*(?:\\\\.[^\"\\\\\\n]*)*)\"";
  private static final String VALUE = "[\\w.]+(?:\\(\\)[\\w.]*)*";

  /** A comment, a text or a character. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?s)/\\*.*?\\*/|//[^\\n]*|\"\"\".*?\"\"\"|" + LITERAL + "|'(?:\\\\.|[^'\\\\])+'");

  /** The start of a call that logs a warning or an error. */
  private static final Pattern LOGS =
      Pattern.compile(
          "(?:\\.log|new Line)\\((?=\\s*(?:(?:Level\\.)?(?:WARNING|ERROR)\\b|level\\b))");

  /** The start of what makes a message that another method logs. */
  private static final Pattern MAKES =
      Pattern.compile(
          "\\blog\\((?=\\s*(?:Level\\.(?:WARNING|ERROR)\\b|\"))"
              + "|\\b(?:missingRight|warn|warnings\\.accept)\\("
              + "|\\bfailed\\((?=\\s*\")"
              + "|\\bOptional<String> warning\\([^)]*\\) \\{");

  /** The start of a message in a variable, in a file that logs. */
  private static final Pattern HOLDS = Pattern.compile("\\bString (?:line|text) =");

  /** The calls that log what is made elsewhere, by their arguments. */
  private static final Set<String> WITHOUT_A_MESSAGE =
      Set.of(
          "Level.WARNING, environment.source().titled(settings().name()) + \": \" + advice",
          "Level.WARNING, config.getFilterName() + \": \" + it",
          "Level.WARNING, () -> text.formatted(limit, maxCounters.getAsInt())",
          "Level.WARNING, line",
          "Level.WARNING, line + more",
          "Level.WARNING, line + retries(why) + MEANWHILE",
          "Level.ERROR, line, error",
          "level, text, all",
          "level, () -> what + \": \" + Failures.brief(error)");

  /** Literals and simple values that are joined. */
  private static final Pattern JOINED =
      Pattern.compile(LITERAL + "(?:\\s*\\+\\s*(?:" + LITERAL + "|" + VALUE + "))*");

  private static final Pattern OPERAND = Pattern.compile(LITERAL + "|" + VALUE);
  private static final Pattern INSERTED = Pattern.compile("%n|%(?:\\.\\d)?[a-z]|\\{\\d\\}");
  private static final Pattern WORD = Pattern.compile("[A-Za-z]{2}");

  /** The first block of a section, if it begins with a code span or with a list of them. */
  private static final Pattern ENTRY =
      Pattern.compile("(?m)^### .*\\n\\n((?:- )?`(?!`).*\\n(?:.+\\n)*)");

  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");

  private static final List<Source> SOURCES = sources();

  @Test
  void each_warning_and_each_error_has_an_entry() {
    List<Message> reported = reported();
    List<String> entries = entries();
    assertThat(reported).as("messages that are found at all").hasSizeGreaterThan(60);
    assertThat(reported).filteredOn(message -> entries.stream().noneMatch(message::isIn)).isEmpty();
  }

  @Test
  void each_entry_is_a_message_of_the_code() {
    List<Message> reported = reported();
    List<Message> longer =
        SOURCES.stream()
            .flatMap(source -> messages(source.file(), source.code()))
            .filter(message -> message.words() >= 5)
            .toList();
    assertThat(entries())
        .hasSizeGreaterThan(60)
        .filteredOn(entry -> reported.stream().noneMatch(message -> message.isIn(entry)))
        .filteredOn(entry -> longer.stream().noneMatch(message -> message.isIn(entry)))
        .isEmpty();
  }

  /** A new one has its message in a literal, or is added to the list above. */
  @Test
  void each_call_that_logs_has_a_message() {
    List<String> without =
        SOURCES.stream()
            .flatMap(source -> source.arguments(LOGS))
            .filter(arguments -> longest("", arguments).isEmpty())
            .map(arguments -> arguments.strip().replaceAll("\\s+", " "))
            .toList();
    assertThat(without).isSubsetOf(WITHOUT_A_MESSAGE);
  }

  /**
   * A message of the code.
   *
   * @param parts what is between the values that are inserted into it
   */
  private record Message(String file, List<String> parts) {

    boolean isIn(String entry) {
      int from = 0;
      for (String part : parts) {
        int at = entry.indexOf(part, from);
        if (at < 0) {
          return false;
        }
        from = at + part.length();
      }
      return true;
    }

    long words() {
      return parts.stream()
          .flatMap(part -> Stream.of(part.split(" ", -1)))
          .filter(word -> WORD.matcher(word).find())
          .count();
    }

    int length() {
      return parts.stream().mapToInt(String::length).sum();
    }
  }

  /**
   * A file of code.
   *
   * @param code without comments and blocks of text
   * @param shape the same without any literal, and as long
   */
  private record Source(String file, String code, String shape) {

    /** Returns the arguments of these calls, or else the rest of the statement. */
    Stream<String> arguments(Pattern start) {
      return start.matcher(code).results().map(found -> rest(found.end()));
    }

    private String rest(int start) {
      boolean isStatement = "({".indexOf(shape.charAt(start - 1)) < 0;
      int depth = 0;
      int end = start;
      while (depth >= 0 && !(isStatement && shape.charAt(end) == ';')) {
        depth +=
            switch (shape.charAt(end)) {
              case '(', '[', '{' -> 1;
              case ')', ']', '}' -> -1;
              default -> 0;
            };
        end++;
      }
      return code.substring(start, isStatement ? end : end - 1);
    }

    Stream<Message> reported() {
      Stream<String> calls = Stream.of(LOGS, MAKES).flatMap(this::arguments);
      Stream<String> held = LOGS.matcher(code).find() ? arguments(HOLDS) : Stream.empty();
      Stream<Message> advice =
          file.endsWith("Advice.java")
              ? messages(file, code).filter(message -> message.words() >= 4)
              : Stream.empty();
      return Stream.concat(
          advice,
          Stream.concat(calls, held).flatMap(arguments -> longest(file, arguments).stream()));
    }
  }

  private static List<Message> reported() {
    return SOURCES.stream().flatMap(Source::reported).distinct().toList();
  }

  /** Returns the message of these arguments: the longest one of two words or more. */
  private static Optional<Message> longest(String file, String arguments) {
    return messages(file, arguments)
        .filter(message -> message.words() >= 2)
        .max(Comparator.comparingInt(Message::length));
  }

  private static Stream<Message> messages(String file, String code) {
    return JOINED.matcher(code).results().map(joined -> message(file, joined.group()));
  }

  private static Message message(String file, String joined) {
    StringBuilder text = new StringBuilder();
    Matcher operand = OPERAND.matcher(joined);
    while (operand.find()) {
      text.append(operand.group().startsWith("\"") ? operand.group(1) : "%s");
    }
    return new Message(
        file,
        INSERTED
            .splitAsStream(text.toString().replace("\\\"", "\"").replace("\\\\", "\\"))
            .map(part -> part.strip().replaceAll("\\s+", " "))
            .filter(part -> WORD.matcher(part).find())
            .toList());
  }

  private static List<String> entries() {
    return ENTRY
        .matcher(Documents.text(PAGE))
        .results()
        .flatMap(entry -> SPAN.matcher(entry.group(1)).results())
        .map(span -> span.group(1).replaceAll("\\s+", " "))
        .toList();
  }

  private static List<Source> sources() {
    return Documents.files().stream()
        .filter(file -> MAIN.matcher(file).matches())
        .map(TroubleshootingTest::source)
        .toList();
  }

  private static Source source(String file) {
    String text = Documents.text(file);
    String code = blanked(text, token -> !token.startsWith("\"") || token.startsWith("\"\"\""));
    return new Source(file, code, blanked(code, token -> true));
  }

  /** Returns the text with these tokens replaced by as many blanks. */
  private static String blanked(String text, Predicate<String> isBlanked) {
    return TOKEN
        .matcher(text)
        .replaceAll(
            token ->
                isBlanked.test(token.group())
                    ? " ".repeat(token.group().length())
                    : Matcher.quoteReplacement(token.group()));
  }
}
