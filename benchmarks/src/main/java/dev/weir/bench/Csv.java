package dev.weir.bench;

import java.util.List;

/** The rows for programs to read. Names and notes in it contain no comma. */
final class Csv {

  private static final String HEADER = "metric,ours,peer,peer_name,ratio,load,steal,note";

  private Csv() {}

  static String of(List<Row> rows) {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    for (Row row : rows) {
      text.append(line(row)).append('\n');
    }
    return text.toString();
  }

  /** Returns the rows of such a text: rounded as there, and without conditions and notes. */
  static List<Row> rows(String text) {
    return text.lines()
        .skip(1)
        .map(line -> line.split(",", -1))
        .map(cells -> new Row(cells[0], number(cells[1]), number(cells[2]), cells[3]))
        .toList();
  }

  private static double number(String cell) {
    return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
  }

  private static String line(Row row) {
    return String.join(
        ",",
        row.metric(),
        Row.shown(row.ours()),
        Row.shown(row.peer()),
        row.peerName(),
        Row.shown(row.ratio()),
        row.conditions().shownLoad(),
        row.conditions().shownSteal(),
        row.note());
  }
}
