package dev.weir.redis;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The resources that make one kind of limit, for decisions and for changes beside them. A script
 * makes only those limits that it is asked about: prelude.lua says why.
 */
enum Arithmetic {
  BUCKET(
      "bl",
      text("bucket") + lending("leases", "lending_bucket") + text("leased_bucket"),
      text("bucket", "bucket_changes") + lending("lending_bucket") + text("leased_bucket")),
  WINDOW("fc", text("window"), text("window", "leased_window")),
  SLIDING("s", text("sliding"), text("sliding")),
  CONCURRENCY("h", text("concurrency"), text("concurrency"));

  private final String deciding;
  private final String changing;

  /**
   * @param letters by which the scripts know the limits
   * @param deciding for decisions
   * @param changing for changes too, behind leases.lua
   */
  Arithmetic(String letters, String deciding, String changing) {
    this.deciding = made(letters, deciding);
    this.changing = made(letters, changing);
  }

  private static String text(String... resources) {
    return Stream.of(resources).map(LuaText::of).collect(Collectors.joining());
  }

  /** Made by a function of its own, for the few buckets that lend. */
  private static String lending(String... resources) {
    return "local function lending_bucket(bucket)\n" + text(resources) + "end\n";
  }

  private static String made(String letters, String text) {
    return "made_by('" + letters + "', function()\n" + text + "end)\n";
  }

  /** The text that makes these limits when they are asked for, as far as decisions need them. */
  String deciding() {
    return deciding;
  }

  /** The same, as decisions and changes need them. */
  String changing() {
    return changing;
  }
}
