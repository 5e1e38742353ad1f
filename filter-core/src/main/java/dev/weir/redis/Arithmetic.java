package dev.weir.redis;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The resources that make one kind of limit, for decisions and for changes beside them. A script
 * makes only those limits that it is asked about: prelude.lua says why.
 */
enum Arithmetic {
  BUCKET("bl", List.of("bucket"), List.of("bucket_changes"), List.of("leases", "leased_bucket")),
  WINDOW("fc", List.of("window"), List.of("leases", "leased_window"), List.of()),
  SLIDING("s", List.of("sliding"), List.of(), List.of()),
  CONCURRENCY("h", List.of("concurrency"), List.of(), List.of());

  private final String deciding;
  private final String changing;

  /**
   * @param letters by which the scripts know the limits
   * @param first the resources for decisions
   * @param changes for changes, in addition
   * @param last for both, behind those
   */
  Arithmetic(String letters, List<String> first, List<String> changes, List<String> last) {
    deciding = made(letters, text(first) + text(last));
    changing = made(letters, text(first) + text(changes) + text(last));
  }

  private static String text(List<String> resources) {
    return resources.stream().map(LuaText::of).collect(Collectors.joining());
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
