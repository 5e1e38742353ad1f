package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The command line in a JVM of its own, in a folder of the test. */
final class Cli {

  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final List<String> before = new ArrayList<>();

  /** What a command has printed, and how it has ended. */
  record Result(int exit, String out, String err) {

    String all() {
      return out + err;
    }
  }

  private Cli(Path folder) {
    this.folder = folder;
  }

  /** Returns a command line in a folder with this configuration as weir.yaml. */
  static Cli with(Path folder, String yaml) throws IOException {
    Files.writeString(folder.resolve("weir.yaml"), yaml);
    return new Cli(folder);
  }

  static Cli in(Path folder) {
    return new Cli(folder);
  }

  Cli environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Runs it by this program, such as one that takes away the network. */
  Cli under(String... program) {
    before.addAll(List.of(program));
    return this;
  }

  /** Runs a command with this standard input, of lines. */
  Result run(List<String> lines, String... arguments) throws IOException, InterruptedException {
    Process process = start(arguments);
    try (OutputStream in = process.getOutputStream()) {
      in.write(lines.stream().map(line -> line + "\n").reduce("", String::concat).getBytes(UTF_8));
    } catch (IOException ended) {
      // it does not read
    }
    return ended(process);
  }

  Result run(String... arguments) throws IOException, InterruptedException {
    return run(List.of(), arguments);
  }

  static Result ended(Process process) throws IOException, InterruptedException {
    String err = new String(process.getErrorStream().readAllBytes(), UTF_8);
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (!process.waitFor(1, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new AssertionError("the command does not end");
    }
    return new Result(process.exitValue(), out, err);
  }

  Process start(String... arguments) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> itself =
        List.of(
            java,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            WeirCli.class.getName());
    ProcessBuilder builder =
        new ProcessBuilder(
                Stream.of(before, itself, List.of(arguments)).flatMap(List::stream).toList())
            .directory(folder.toFile());
    builder.environment().remove("WEIR_CONFIG");
    builder.environment().putAll(environment);
    return builder.start();
  }
}
