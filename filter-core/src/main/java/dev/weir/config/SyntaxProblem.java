package dev.weir.config;

import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/**
 * Tells where text stops being YAML. The parser's own message is not used whole: it quotes the
 * lines around, and there may be a secret on them.
 */
final class SyntaxProblem {

  private SyntaxProblem() {}

  static ConfigurationException of(String file, String text, MarkedYamlEngineException malformed) {
    Optional<Mark> mark = malformed.getProblemMark().or(malformed::getContextMark);
    if (mark.isEmpty()) {
      return Problems.only(file, Node.Place.NONE, "", "text that is not YAML", "YAML 1.2");
    }
    Node.Place place = YamlReader.place(mark.get());
    List<String> lines = text.lines().toList();
    String line = place.line() <= lines.size() ? lines.get(place.line() - 1) : "";
    return Problems.only(file, place, "", found(line, place), expected(line, place, malformed));
  }

  private static String found(String line, Node.Place place) {
    int at =
        line.offsetByCodePoints(
            0, Math.min(place.column() - 1, line.codePointCount(0, line.length())));
    return at < line.length()
        ? "character " + Shown.quoted(Character.toString(line.codePointAt(at)))
        : "the end of the line";
  }

  private static String expected(
      String line, Node.Place place, MarkedYamlEngineException malformed) {
    int at = place.column() - 1;
    if (at < line.length() && line.charAt(at) == '\t') {
      return "spaces, since YAML is not indented with tabs";
    }
    if (at > 0 && line.startsWith("${", at - 1)) {
      return "\"${…}\" in quotes inside { } and [ ]";
    }
    if (at > 0 && line.charAt(at - 1) != ' ' && line.startsWith("{", at)) {
      return "quotes around what has { } in it, inside { } and [ ], as in \"/users/{id}\"";
    }
    return "YAML 1.2, but " + Shown.plain(malformed.getProblem());
  }
}
