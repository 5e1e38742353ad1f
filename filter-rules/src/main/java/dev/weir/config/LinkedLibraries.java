package dev.weir.config;

import dev.weir.config.internal.document.YamlReader;
import dev.weir.http.internal.check.HttpLibraries;
import dev.weir.internal.Libraries;
import dev.weir.internal.Libraries.Library;
import dev.weir.redis.RedisOptions;
import java.util.List;

/** A check that each library is there, in a version that fits. */
final class LinkedLibraries {

  /** What this module needs beside those of limiters. */
  static final List<Library> OF_RULES =
      List.of(
          new Library("IPAddress", "5.6.2", "inet.ipaddr.IPAddress"),
          new Library("SnakeYAML Engine", "3.0.1", "org.snakeyaml.engine.v2.api.Load"),
          new Library("concurrency-limits", "0.5.4", "com.netflix.concurrency.limits.Limit"));

  private static volatile boolean areLinked;

  private LinkedLibraries() {}

  /**
   * Uses each library once that a request would be the first to use. The first call takes some
   * time, and the others none.
   *
   * @throws IllegalStateException when a library is missing, or is there in another version
   */
  static void require() {
    if (areLinked) {
      return;
    }
    Libraries.link(
        OF_RULES,
        () -> {
          Object unused = YamlReader.read("start", "{}");
          unused = RedisOptions.of("redis://127.0.0.1:1", "start");
          HttpLibraries.use();
          OutageRehearsal.run();
        });
    areLinked = true;
  }
}
