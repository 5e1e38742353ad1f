package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkTest {

  @TempDir
  @SuppressWarnings("NullAway.Init") // made before each test
  private Path directory;

  private Path jdk(String version) throws IOException {
    Path home = directory.resolve("jdk-" + version);
    Files.createDirectories(home.resolve("bin"));
    Files.createFile(home.resolve("bin/java")).toFile().setExecutable(true);
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  @Test
  void the_newest_is_found_by_number_and_not_by_name() throws IOException {
    Path newest = jdk("25.0.10");
    Stream<Path> all = Stream.of(jdk("17.0.15"), jdk("25.0.9"), newest, jdk("9.0.4"));

    assertThat(Jdk.newestOf(all, 21)).map(Jdk::home).contains(newest);
  }

  @Test
  void what_is_too_old_or_no_jdk_is_none() throws IOException {
    Path unknown = jdk("no number");
    Path empty = directory.resolve("none");

    assertThat(Jdk.newestOf(Stream.of(jdk("17.0.15"), unknown, empty), 21)).isEmpty();
  }

  @Test
  void the_one_that_runs_this_is_at_hand() {
    assertThat(Jdk.newest(17))
        .map(Jdk::version)
        .hasValueSatisfying(
            version ->
                assertThat(version.feature()).isGreaterThanOrEqualTo(Runtime.version().feature()));
  }
}
