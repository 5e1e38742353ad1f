package dev.weir.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.fixture.TestRun;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import redis.embedded.core.ExecutableProvider;

/** A Redis that tests run on: the embedded 6.2 always, and the system's where one is installed. */
public record RedisVersion(String name, Path executable) {

  private static final List<RedisVersion> ALL = find();

  /** Returns all available ones, the embedded one first. */
  public static List<RedisVersion> all() {
    return ALL;
  }

  /** Returns those that suites run on: all in a full run, the newest in a quick one. */
  public static List<RedisVersion> tested() {
    return TestRun.isFull() ? ALL : List.of(newest());
  }

  /** Returns the embedded one, which is always available. */
  public static RedisVersion embedded() {
    return ALL.get(0);
  }

  /** Returns the newest available. */
  public static RedisVersion newest() {
    return ALL.get(ALL.size() - 1);
  }

  @Override
  public String toString() {
    return name;
  }

  @SuppressWarnings("SystemOut") // the build says which versions it ran against
  private static List<RedisVersion> find() {
    List<RedisVersion> all = new ArrayList<>();
    all.add(new RedisVersion("Redis 6.2 (embedded)", embeddedExecutable()));
    systemExecutable().ifPresent(path -> all.add(new RedisVersion(versionOf(path), path)));
    System.out.println("Tests run on: " + all);
    return List.copyOf(all);
  }

  private static Path embeddedExecutable() {
    try {
      File file = ExecutableProvider.newJarResourceProvider().get();
      return file.toPath();
    } catch (IOException e) {
      throw new IllegalStateException("no embedded Redis for this platform", e);
    }
  }

  private static Optional<Path> systemExecutable() {
    Stream<String> places =
        Stream.concat(
            Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)),
            Stream.of("/usr/bin", "/usr/local/bin"));
    return places
        .map(place -> Path.of(place, "redis-server"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static String versionOf(Path executable) {
    try {
      Process process = new ProcessBuilder(executable.toString(), "--version").start();
      String text = new String(process.getInputStream().readAllBytes(), UTF_8);
      return "Redis " + text.replaceFirst("(?s).*v=(\\S+).*", "$1") + " (system)";
    } catch (IOException e) {
      throw new IllegalStateException(executable + " does not run", e);
    }
  }
}
