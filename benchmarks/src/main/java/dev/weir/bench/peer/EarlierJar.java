package dev.weir.bench.peer;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;

/**
 * The all-jar of an earlier build of the Servlet filter.
 *
 * @param path of the file
 */
public record EarlierJar(Path path) {

  /** What is called of it: a jar of one module alone has not all of these. */
  private static final List<String> CALLED =
      List.of(
          "dev/weir/TokenLimiter.class",
          "dev/weir/redis/RedisLimitStore.class",
          "dev/weir/config/Weir.class",
          "dev/weir/servlet/RateLimitFilter.class");

  /**
   * @throws IllegalArgumentException when there is no such file, or when it has no Weir
   */
  public EarlierJar {
    try (JarFile jar = new JarFile(path.toFile())) {
      for (String entry : CALLED) {
        if (jar.getEntry(entry) == null) {
          throw failure(path, "no " + entry);
        }
      }
    } catch (IOException unreadable) {
      throw failure(path, unreadable.toString());
    }
  }

  private static IllegalArgumentException failure(Path path, String problem) {
    return new IllegalArgumentException(
        "bench.before: '%s': %s (expected: the all-jar of an earlier build of the Servlet filter)"
            .formatted(path, problem));
  }
}
