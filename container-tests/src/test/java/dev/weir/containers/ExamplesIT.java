package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Documents;
import dev.weir.fixture.Documents.Block;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each page to start with, as a reader follows it: what it runs is pasted into bash, and what it
 * shows is what is printed. Maven has built the examples before, against this build's jars.
 */
class ExamplesIT {

  private static final Path BUILT = Path.of(System.getProperty("weir.target"));
  private static final int PORT = 8080; // of the examples, as the pages have it

  @TempDir private Path scratch = Path.of("");

  static Stream<String> pages() {
    return Documents.userPages().stream().filter(page -> page.startsWith("docs/start/"));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void a_page_to_start_with_works_as_pasted(String page) throws Exception {
    String run = shell(page, "Run").get(0).text();
    Path example = BUILT.resolve(run.split("\\s+", 3)[1]); // after a cd
    Path log = scratch.resolve("server.log");
    assertThat(isServed()).as("port " + PORT + " is taken").isFalse();
    Process server = bash(BUILT, run).redirectOutput(log.toFile()).start();
    try {
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> isServed() || server.waitFor(1, TimeUnit.MILLISECONDS));
      List<Block> steps = blocks(page, "See it work");
      for (int i = 0; i + 1 < steps.size(); i++) {
        if (steps.get(i).language().equals("sh") && steps.get(i).isComplete()) {
          assertThat(withoutSeconds(printed(example, steps.get(i).text())))
              .as("log: %s", Files.readString(log))
              .isEqualTo(withoutSeconds(steps.get(i + 1).text()));
        }
      }
      String lines = Files.readString(log);
      assertThat(logged(page)).allSatisfy(part -> assertThat(lines).contains(part));
    } finally {
      end(server);
    }
  }

  /** The seconds to wait are fewer where this machine is slow. */
  private static String withoutSeconds(String printed) {
    return printed.replaceAll("(Retry-After: |again in )[0-9]+", "$1…");
  }

  /** What the page says is in the log, without the parts that differ. Empty if it says nothing. */
  private static List<String> logged(String page) {
    return section(page, "See it work")
        .lines()
        .filter(line -> line.startsWith("`") && line.contains("rules "))
        .flatMap(line -> Stream.of(line.replace("`", "").split("…", -1)))
        .toList();
  }

  private static List<Block> shell(String page, String heading) {
    return blocks(page, heading).stream().filter(block -> block.language().equals("sh")).toList();
  }

  private static List<Block> blocks(String page, String heading) {
    return Documents.fencedIn(section(page, heading));
  }

  private static String section(String page, String heading) {
    String text = Documents.text(page);
    int start = text.indexOf("\n## " + heading + "\n");
    int end = text.indexOf("\n## ", start + 1);
    return text.substring(start, end < 0 ? text.length() : end);
  }

  private ProcessBuilder bash(Path folder, String script) throws IOException {
    Path maven = Files.createDirectories(scratch.resolve("bin")).resolve("mvn");
    Files.writeString(maven, "#!/bin/sh\n"); // has built it already
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    Path pasted = Files.createTempFile(scratch, "pasted", ".sh"); // bash reads it as it runs
    Files.writeString(pasted, script);
    ProcessBuilder builder =
        new ProcessBuilder("bash", pasted.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder
        .environment()
        .merge("PATH", scratch.resolve("bin").toString(), (path, ours) -> ours + ":" + path);
    return builder;
  }

  private String printed(Path folder, String script) throws IOException, InterruptedException {
    Process process = bash(folder, script).start();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return printed;
  }

  private static boolean isServed() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT), 200);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Ends the server, and then the shell, which ends by itself after its last command. */
  private static void end(Process server) throws InterruptedException {
    server.descendants().forEach(ProcessHandle::destroyForcibly);
    if (!server.waitFor(10, TimeUnit.SECONDS)) {
      server.destroyForcibly().waitFor();
    }
    await().until(() -> !isServed());
  }
}
