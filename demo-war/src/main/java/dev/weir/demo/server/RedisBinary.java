package dev.weir.demo.server;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.embedded.core.ExecutableProvider;

/**
 * A redis-server that has run on this machine.
 *
 * @param origin where it came from, for people
 */
record RedisBinary(String command, String version, String origin) {

  private static final Pattern VERSION = Pattern.compile("v=(\\S+)");
  private static final long PATIENCE_SECONDS = 5;

  /** A place where a redis-server may be found. */
  record Candidate(String origin, Locator locator) {}

  /** A function that returns the command of a candidate. */
  @FunctionalInterface
  interface Locator {
    String command() throws IOException;
  }

  /** Finds the binary that comes with the demo, else the system's. */
  static RedisBinary find(Path directory) throws RedisMissingException {
    return firstThatRuns(
        List.of(
            new Candidate("embedded", () -> unpacked(directory)),
            new Candidate("the system's", () -> "redis-server")));
  }

  /**
   * @throws RedisMissingException when none runs; the message gives the reason for each
   */
  static RedisBinary firstThatRuns(List<Candidate> candidates) throws RedisMissingException {
    List<String> reasons = new ArrayList<>();
    for (Candidate candidate : candidates) {
      try {
        String command = candidate.locator().command();
        return new RedisBinary(command, versionOf(command), candidate.origin());
      } catch (IOException | RuntimeException e) {
        reasons.add(candidate.origin() + ": " + e.getMessage());
      }
    }
    throw new RedisMissingException(reasons);
  }

  private static String unpacked(Path directory) throws IOException {
    Files.createDirectories(directory);
    File binary = ExecutableProvider.newJarResourceProvider(directory.toFile()).get();
    return binary.getAbsolutePath();
  }

  private static String versionOf(String command) throws IOException {
    Process process = new ProcessBuilder(command, "--version").redirectErrorStream(true).start();
    try {
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("does not run: " + output.strip());
      }
      Matcher version = VERSION.matcher(output);
      return version.find() ? version.group(1) : output.strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
