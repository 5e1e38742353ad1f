package dev.weir.containers;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as a user gets it: one jar that runs. */
class CommandLineIT {

  /** The jar of a filter with everything, and picocli. */
  private static final int MOST_BYTES = 6_500_000;

  private final Path jar = Artifacts.built("weir-cli.jar");

  @Test
  void it_is_small_and_has_no_library_under_a_name_that_a_class_path_may_have() throws IOException {
    assertThat(Files.size(jar)).isLessThan(MOST_BYTES);
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      assertThat(Collections.list(zip.entries()).stream().map(ZipEntry::getName))
          .allMatch(name -> name.matches("(dev/(weir/.*)?|picocli/.*|META-INF/.*)"))
          .contains("META-INF/LICENSE", "META-INF/THIRD-PARTY.txt");
      byte[] reported = zip.getInputStream(zip.getEntry("META-INF/THIRD-PARTY.txt")).readAllBytes();
      assertThat(new String(reported, UTF_8)).contains("picocli (picocli), Apache License 2.0");
    }
  }

  @Test
  void it_runs_by_java_jar(@TempDir Path folder) throws Exception {
    assertThat(run(folder, "--version")).matches("weir \\S+\n");
    Files.writeString(
        folder.resolve("weir.yaml"), "rules: [{ name: all, match: /**, limits: [5 per minute] }]");
    assertThat(run(folder, "check")).contains("weir.yaml: 1 rule, 0 warnings");
    assertThat(run(folder, "explain", "GET", "/"))
        .contains("answer   passes", "RateLimit: \"all\";r=4;t=12")
        .doesNotContain("SLF4J");
  }

  private String run(Path folder, String... arguments) throws Exception {
    List<String> java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-jar",
            jar.toString());
    Process process =
        new ProcessBuilder(Stream.concat(java.stream(), Stream.of(arguments)).toList())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(printed).isZero();
    return printed;
  }
}
