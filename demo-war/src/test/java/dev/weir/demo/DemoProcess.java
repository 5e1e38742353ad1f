package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The demo as a user starts it: {@code java -jar demo.war}, in a process of its own. */
final class DemoProcess implements AutoCloseable {

  /** What the page's own scripts send along, and what no form and no foreign page can. */
  static final String CONTROL = "X-Weir-Demo: 1";

  /** Options of a JVM that lives for seconds and runs alongside others. */
  static final List<String> LEAN =
      List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private static final Pattern REDIS = Pattern.compile("redis://127\\.0\\.0\\.1:\\d+");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final Path output;
  private final Path temporary;
  private final int port;

  private DemoProcess(Process process, Path output, Path temporary, int port) {
    this.process = process;
    this.output = output;
    this.temporary = temporary;
    this.port = port;
  }

  /** Starts two nodes on free ports and returns when both answer. */
  static DemoProcess start(String... options) throws IOException {
    int port = twoFreePorts();
    List<String> arguments = new ArrayList<>(List.of("--port", String.valueOf(port)));
    arguments.addAll(List.of(options));
    DemoProcess demo = launch(port, arguments);
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> !demo.process.isAlive() || demo.output().contains("Ctrl-C"));
      assertThat(demo.process.isAlive()).as(demo.output()).isTrue();
      return demo;
    } catch (RuntimeException | AssertionError e) {
      demo.close();
      throw e;
    }
  }

  /** Runs it with options that end it. */
  static DemoProcess run(String... options) throws IOException {
    DemoProcess demo = launch(0, List.of(options));
    try {
      demo.exitCode();
      return demo;
    } catch (RuntimeException e) {
      demo.close();
      throw e;
    }
  }

  private static DemoProcess launch(int port, List<String> arguments) throws IOException {
    Path temporary =
        Files.createTempDirectory(Files.createDirectories(war().resolveSibling("it")), "demo");
    Path output = temporary.resolve("output");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(LEAN);
    command.addAll(List.of("-Djava.io.tmpdir=" + temporary, "-jar", war().toString()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("WEIR_"));
    return new DemoProcess(
        builder.redirectOutput(output.toFile()).start(), output, temporary, port);
  }

  static Path war() {
    return Path.of(System.getProperty("weir.demo.war"));
  }

  RawHttp node(int number) {
    return new RawHttp(base(number));
  }

  URI base(int number) {
    return URI.create("http://127.0.0.1:" + (port + number));
  }

  int port() {
    return port;
  }

  /** All that it said so far. */
  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits for its end. */
  int exitCode() {
    return process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join().exitValue();
  }

  /** What it has started, and what these have. */
  List<ProcessHandle> children() {
    return process.descendants().toList();
  }

  ProcessHandle redis() {
    return process
        .descendants()
        .filter(child -> child.info().command().orElse("").contains("redis-server"))
        .findAny()
        .orElseThrow();
  }

  /** Does to Redis what the page's buttons do. */
  Answer control(int node, String action, String... fields) {
    String[] all = Arrays.copyOf(fields, fields.length + 1);
    all[fields.length] = CONTROL;
    return node(node).post("/demo/redis" + action, all);
  }

  /** Where its own Redis listens, as it says. */
  URI redisUri() {
    Matcher uri = REDIS.matcher(output());
    assertThat(uri.find()).as(output()).isTrue();
    return URI.create(uri.group());
  }

  void signal(String name) throws IOException {
    signal(name, process.toHandle());
  }

  static void signal(String name, ProcessHandle target) throws IOException {
    Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + target.pid()).start();
    assertThat(kill.onExit().join().exitValue()).as("kill -" + name).isZero();
  }

  /** What it left where it may write. */
  List<Path> leftovers() throws IOException {
    try (var files = Files.list(temporary)) {
      return files.filter(file -> file.getFileName().toString().startsWith("weir")).toList();
    }
  }

  private static int twoFreePorts() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
      try (ServerSocket first = new ServerSocket(port);
          ServerSocket second = new ServerSocket(port + 1)) {
        return Math.min(first.getLocalPort(), second.getLocalPort());
      } catch (IOException e) {
        // taken: try others
      }
    }
  }

  @Override
  public void close() {
    List<ProcessHandle> children = children();
    process.destroyForcibly().onExit().join();
    children.forEach(ProcessHandle::destroyForcibly);
  }
}
