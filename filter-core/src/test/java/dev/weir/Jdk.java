package dev.weir;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** A JDK on this machine. */
public record Jdk(Path home, Runtime.Version version) {

  private static final Path USUAL_PLACE = Path.of("/usr/lib/jvm");

  /** That which runs this. */
  public static Jdk running() {
    return new Jdk(Path.of(System.getProperty("java.home")), Runtime.version());
  }

  /**
   * The newest of this one, those that {@code JAVA_HOME} and {@code JAVA_HOME_*} name, those next
   * to them, and those in the usual place of Linux, if it is at least this new.
   */
  public static Optional<Jdk> newest(int atLeast) {
    Stream<Path> named =
        System.getenv().entrySet().stream()
            .filter(one -> one.getKey().startsWith("JAVA_HOME"))
            .map(Map.Entry::getValue)
            .map(Path::of);
    List<Path> homes =
        Stream.concat(Stream.of(Path.of(System.getProperty("java.home"))), named).toList();
    Stream<Path> beside =
        Stream.concat(Stream.of(USUAL_PLACE), homes.stream().flatMap(home -> parent(home).stream()))
            .flatMap(Jdk::within);
    return newestOf(Stream.concat(homes.stream(), beside), atLeast);
  }

  static Optional<Jdk> newestOf(Stream<Path> homes, int atLeast) {
    return homes
        .flatMap(home -> at(home).stream())
        .filter(jdk -> jdk.version.feature() >= atLeast)
        .max(Comparator.comparing(Jdk::version));
  }

  private static Optional<Path> parent(Path home) {
    return Optional.ofNullable(home.toAbsolutePath().getParent());
  }

  private static Stream<Path> within(Path directory) {
    try (Stream<Path> all = Files.list(directory)) {
      return all.toList().stream();
    } catch (IOException none) {
      return Stream.empty();
    }
  }

  /** As its own file {@code release} states. */
  private static Optional<Jdk> at(Path home) {
    if (!Files.isExecutable(home.resolve("bin").resolve("java"))) {
      return Optional.empty();
    }
    try {
      Properties release = new Properties();
      release.load(new StringReader(Files.readString(home.resolve("release"))));
      String version = release.getProperty("JAVA_VERSION", "").replace("\"", "");
      return Optional.of(new Jdk(home, Runtime.Version.parse(version)));
    } catch (IOException | IllegalArgumentException unknown) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return "JDK " + version;
  }
}
