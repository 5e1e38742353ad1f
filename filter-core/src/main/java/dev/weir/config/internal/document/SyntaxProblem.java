package dev.weir.config.internal.document;

import dev.weir.config.ConfigurationException;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/**
 * Finds where text stops being YAML. For an unclosed quote or brace, it reports where that was
 * opened. YAML detects the missing end only later, often at the end of the file. The parser's full
 * message is not used, because it quotes neighbouring lines, which may contain a secret.
 */
final class SyntaxProblem {

  private final String file;
  private final String text;
  private final MarkedYamlEngineException malformed;

  private SyntaxProblem(String file, String text, MarkedYamlEngineException malformed) {
    this.file = file;
    this.text = text;
    this.malformed = malformed;
  }

  /**
   * @param lastQuoted the last text in quotes before the problem, if there is one
   * @param lastBracket the innermost brace or bracket that is open there, if there is one
   */
  static ConfigurationException of(
      String file,
      String text,
      MarkedYamlEngineException malformed,
      Optional<ScalarEvent> lastQuoted,
      Optional<Node.Place> lastBracket) {
    return new SyntaxProblem(file, text, malformed).exception(lastQuoted, lastBracket);
  }

  private ConfigurationException exception(
      Optional<ScalarEvent> lastQuoted, Optional<Node.Place> lastBracket) {
    Optional<Mark> mark = malformed.getProblemMark().or(malformed::getContextMark);
    if (mark.isEmpty()) {
      return Reading.refused(file, Node.Place.NONE, "", "text that is not YAML", "YAML 1.2");
    }
    Node.Place place = YamlReader.place(mark.get());
    String line = line(place);
    Optional<String> hint = hint(line, place);
    if (hint.isPresent()) {
      return Reading.refused(file, place, "", found(line, place), hint.get());
    }
    return lastQuoted
        .filter(quoted -> runsInto(quoted, place))
        .flatMap(ScalarEvent::getStartMark)
        .map(YamlReader::place)
        .or(() -> enclosing(lastBracket).filter(opened -> isOpen(opened, mark.get())))
        .map(opened -> unclosed(opened, place))
        .orElseGet(
            () ->
                Reading.refused(
                    file,
                    place,
                    "",
                    found(line, place),
                    "YAML 1.2, but " + Redacted.plain(malformed.getProblem())));
  }

  private String line(Node.Place place) {
    List<String> lines = text.lines().toList();
    return place.line() <= lines.size() ? lines.get(place.line() - 1) : "";
  }

  private static String found(String line, Node.Place place) {
    int at = offset(line, place);
    return at < line.length()
        ? "character " + Redacted.quoted(Character.toString(line.codePointAt(at)))
        : "the end of the line";
  }

  private static int offset(String line, Node.Place place) {
    return line.offsetByCodePoints(
        0, Math.min(place.column() - 1, line.codePointCount(0, line.length())));
  }

  private static Optional<String> hint(String line, Node.Place place) {
    int at = place.column() - 1;
    if (at < line.length() && line.charAt(at) == '\t') {
      return Optional.of("spaces, since YAML is not indented with tabs");
    }
    if (at > 0 && line.startsWith("${", at - 1)) {
      return Optional.of("\"${…}\" in quotes inside { } and [ ]");
    }
    if (at > 0 && line.charAt(at - 1) != ' ' && line.startsWith("{", at)) {
      return Optional.of(
          "quotes around what has { } in it, inside { } and [ ], as in \"/users/{id}\"");
    }
    return Optional.empty();
  }

  /**
   * Returns whether a text of several lines ends on the problem's line. It then took another's
   * quote.
   */
  private static boolean runsInto(ScalarEvent quoted, Node.Place problem) {
    int begin = quoted.getStartMark().map(Mark::getLine).orElse(0) + 1;
    int end = quoted.getEndMark().map(Mark::getLine).orElse(0) + 1;
    return begin < end && end == problem.line();
  }

  /** Returns where the quote, brace or bracket began that the parser was in. */
  private Optional<Node.Place> enclosing(Optional<Node.Place> lastBracket) {
    String context = String.valueOf(malformed.getContext());
    if (context.contains("quoted scalar")) {
      return malformed.getContextMark().map(YamlReader::place);
    }
    return context.contains("flow") ? lastBracket : Optional.empty();
  }

  /** Returns whether it began on an earlier line, or the text ends in it. */
  private boolean isOpen(Node.Place opened, Mark problem) {
    boolean isAtEnd = problem.getIndex() >= text.codePointCount(0, text.length());
    return opened.line() <= problem.getLine() || isAtEnd;
  }

  private ConfigurationException unclosed(Node.Place opened, Node.Place problem) {
    String line = line(opened);
    String opening = line.substring(offset(line, opened)).substring(0, 1);
    String closing = opening.equals("{") ? "}" : opening.equals("[") ? "]" : opening;
    return Reading.refused(
        file,
        opened,
        "",
        "a " + opening + " that is not closed",
        closing + " before line " + problem.line() + ", column " + problem.column());
  }
}
