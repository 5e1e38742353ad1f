package dev.weir.bench.grid;

import java.util.List;
import java.util.stream.Stream;

/**
 * The result of a contest.
 *
 * @param pool the peer's connections
 */
record Found(Figures ours, Figures peer, int pool) {

  /** The medians over the rounds. */
  record Figures(double perSecond, double p99Micros, double switches) {

    private Stream<Double> all() {
      return Stream.of(perSecond, p99Micros, switches);
    }

    private static Figures of(List<String> words) {
      return new Figures(
          Double.parseDouble(words.get(0)),
          Double.parseDouble(words.get(1)),
          Double.parseDouble(words.get(2)));
    }
  }

  /** Returns it in one line, for another process. */
  String text() {
    Stream<Double> figures = Stream.concat(ours.all(), peer.all());
    return String.join(
        " ", Stream.concat(figures.map(String::valueOf), Stream.of(String.valueOf(pool))).toList());
  }

  static Found of(String text) {
    List<String> words = List.of(text.split(" ", -1));
    return new Found(
        Figures.of(words.subList(0, 3)),
        Figures.of(words.subList(3, 6)),
        Integer.parseInt(words.get(6)));
  }
}
