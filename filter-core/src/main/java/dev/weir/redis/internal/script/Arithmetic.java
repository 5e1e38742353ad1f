package dev.weir.redis.internal.script;

import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import java.util.stream.Collectors;

/**
 * The resources that make one kind of limit, for decisions and for other changes. A script makes
 * only the limits of its call. The reason is in prelude.lua.
 */
public enum Arithmetic {
  BUCKET(
      plainBucketAnd(
          LuaText.of("bucket") + lending("leases", "lending_bucket") + LuaText.of("leased_bucket")),
      plainBucketAnd(
          LuaText.of("bucket", "bucket_changes")
              + lending("lending_bucket")
              + LuaText.of("leased_bucket"))),
  WINDOW(made("fc", LuaText.of("window")), made("fc", LuaText.of("window", "leased_window"))),
  SLIDING(made("s", LuaText.of("sliding")), made("s", LuaText.of("sliding"))),
  CONCURRENCY(made("h", LuaText.of("concurrency")), made("h", LuaText.of("concurrency")));

  /** More than any concurrency limit allows. */
  private static final int MOST_HELD = 1_000;

  private final String deciding;
  private final String changing;

  /**
   * @param deciding the text for decisions
   * @param changing the text for changes too, after leases.lua
   */
  Arithmetic(String deciding, String changing) {
    this.deciding = deciding;
    this.changing = changing;
  }

  private static String plainBucketAnd(String others) {
    return made("b", LuaText.of("plain_limit")) + made("Bl", others);
  }

  /** Returns the text of a function that makes the few buckets that lend. */
  private static String lending(String... resources) {
    return "local function lending_bucket(bucket)\n" + LuaText.of(resources) + "end\n";
  }

  /**
   * @param letters the letters of the limits that the text makes
   */
  private static String made(String letters, String text) {
    String first = "makers." + letters.charAt(0);
    String others =
        letters
            .chars()
            .skip(1)
            .mapToObj(letter -> "makers." + (char) letter + " = " + first + "\n")
            .collect(Collectors.joining());
    return first + " = function()\n" + text + "end\n" + others;
  }

  /**
   * Returns the approximate time for which a decision over one counter occupies Redis, in
   * microseconds.
   */
  static int micros(Limit limit, long permits) {
    if (limit instanceof Concurrency) {
      return 20 + 3 * (int) Math.min(permits, MOST_HELD);
    }
    return limit instanceof SlidingWindow sliding ? 8 + sliding.subWindows() / 20 : 7;
  }

  /** Returns the text that makes these limits on demand, with the parts for decisions. */
  public String deciding() {
    return deciding;
  }

  /**
   * Returns the text that makes these limits on demand, with the parts for decisions and changes.
   */
  public String changing() {
    return changing;
  }
}
