package dev.weir.bench.http;

import dev.weir.bench.RedisUnderTest;
import dev.weir.bench.Row;
import dev.weir.bench.http.Comparison.Found;
import dev.weir.bench.peer.NaiveLua;
import java.util.List;

/** The comparison on virtual threads as a process, for a JDK of its own: a remark, and its rows. */
public final class HttpVirtualMain {

  private static final String SEPARATOR = "\t";

  private HttpVirtualMain() {}

  /** Runs on the Redis of the first argument, in so many rounds as the second says. */
  @SuppressWarnings("SystemOut") // that is how it answers
  public static void main(String[] args) throws Exception {
    Application exact = Applications.exact();
    Application naive = Applications.naive(HttpVirtual.CONNECTIONS);
    Comparison comparison =
        new Comparison(HttpVirtual.CONNECTIONS, JettyThreads.VIRTUAL, List.of(exact, naive));
    try (RedisUnderTest redis = RedisUnderTest.given(args[0])) {
      Found found = comparison.measure(redis, Integer.parseInt(args[1]));
      System.out.println(found.remark());
      for (Row row : found.rows(HttpVirtual.NAMES, exact, naive, NaiveLua.NAME)) {
        System.out.println(text(row));
      }
    }
  }

  static String text(Row row) {
    return String.join(
        SEPARATOR,
        row.metric(),
        String.valueOf(row.ours()),
        String.valueOf(row.peer()),
        row.peerName(),
        row.note());
  }

  static Row row(String text) {
    String[] words = text.split(SEPARATOR, -1);
    Row row =
        new Row(words[0], Double.parseDouble(words[1]), Double.parseDouble(words[2]), words[3]);
    return words[4].isEmpty() ? row : row.noted(words[4]);
  }
}
