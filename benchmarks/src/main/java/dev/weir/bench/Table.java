package dev.weir.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The rows for people to read, with their bounds. It is Markdown and also aligned as plain text.
 */
final class Table {

  private static final List<String> HEADER =
      List.of("metric", "ours", "peer", "peer_name", "ratio", "must", "goal", "load", "steal", "");

  private Table() {}

  static String of(List<Row> rows) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(HEADER);
    rows.forEach(row -> lines.add(cells(row)));
    int[] widths = widths(lines);
    StringBuilder text = new StringBuilder(line(HEADER, widths)).append(rule(widths));
    lines.subList(1, lines.size()).forEach(cells -> text.append(line(cells, widths)));
    return text.toString();
  }

  private static List<String> cells(Row row) {
    Optional<Bound> bound = Acceptance.of(row);
    return List.of(
        row.metric(),
        row.isVoid() ? "void" : Row.shown(row.ours()),
        Row.shown(row.peer()),
        row.peerName(),
        Row.shown(row.ratio()),
        bound.map(Bound::shownMust).orElse(""),
        bound.map(Bound::shownGoal).orElse(""),
        row.conditions().shownLoad(),
        row.conditions().shownSteal(),
        last(bound.map(known -> verdict(known, row)).orElse(""), row.note()));
  }

  /** Returns the verdict and the note. */
  private static String last(String verdict, String note) {
    return verdict.isEmpty() || note.isEmpty() ? verdict + note : verdict + "; " + note;
  }

  private static String verdict(Bound bound, Row row) {
    if (row.isVoid()) {
      return "";
    }
    if (!bound.isMet(row)) {
      return "**missed**";
    }
    return bound.isGoalMet(row) ? "goal" : "must";
  }

  private static int[] widths(List<List<String>> lines) {
    int[] widths = new int[HEADER.size()];
    for (List<String> cells : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], cells.get(i).length());
      }
    }
    return widths;
  }

  private static String line(List<String> cells, int[] widths) {
    List<String> padded = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      padded.add(cells.get(i) + " ".repeat(widths[i] - cells.get(i).length()));
    }
    return "| " + String.join(" | ", padded) + " |\n";
  }

  private static String rule(int[] widths) {
    return Arrays.stream(widths)
            .mapToObj(width -> "-".repeat(width + 2))
            .collect(Collectors.joining("|", "|", "|"))
        + "\n";
  }
}
