package dev.weir.bench.grid;

import dev.weir.bench.load.Warmth;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The result of a contest.
 *
 * @param pool the peer's connections
 */
record Found(Figures ours, Figures peer, int pool, Warmth warmth) {

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
    Stream<Object> figures = Stream.concat(ours.all(), peer.all());
    Stream<Object> rest = Stream.of(pool, warmth.took().toMillis(), warmth.isDone());
    return Stream.concat(figures, rest).map(String::valueOf).collect(Collectors.joining(" "));
  }

  static Found of(String text) {
    List<String> words = List.of(text.split(" ", -1));
    return new Found(
        Figures.of(words.subList(0, 3)),
        Figures.of(words.subList(3, 6)),
        Integer.parseInt(words.get(6)),
        new Warmth(
            Duration.ofMillis(Long.parseLong(words.get(7))), Boolean.parseBoolean(words.get(8))));
  }
}
