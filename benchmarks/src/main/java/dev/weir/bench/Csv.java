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
