package dev.weir.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.weir.fixture.TestRun;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The tool of Prometheus that checks its files. */
record Promtool(Path executable) {

  static Promtool orSkip() {
    return new Promtool(installedOrSkip("promtool"));
  }

  /** Returns a program of Prometheus. A quick run skips the test without it, a full run fails. */
  @SuppressWarnings("SystemOut") // the build says what it has not tested
  static Path installedOrSkip(String name) {
    Optional<Path> found =
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .map(folder -> Path.of(folder, name))
            .filter(Files::isExecutable)
            .findFirst();
    if (found.isPresent()) {
      return found.get();
    }
    if (TestRun.isFull()) {
      return fail(
          name + ": not on the path (expected: installed, as by apt-get install prometheus)");
    }
    System.out.println("Files of Prometheus: not run, because " + name + " is not installed");
    return abort(name + " is not installed");
  }

  /** Runs it with this input, requires that it succeeds, and returns what it says. */
  String run(String input, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(executable.toString()));
    command.addAll(Arrays.asList(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (Writer in = process.outputWriter(UTF_8)) {
      in.write(input);
    }
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", command, output).isZero();
    return output;
  }
}
