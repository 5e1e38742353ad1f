package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The WAR in a container that runs as a process of its own, with nothing on its class path but the
 * container: the application must bring the rest.
 */
final class DeployedWar implements AutoCloseable {

  /** What the container says before its port. */
  static final String READY = "listening on ";

  private static final Pattern PORT = Pattern.compile(READY + "(\\d+)");
  private static final Pattern CONTAINER_JAR =
      Pattern.compile("(jetty-|tomcat-|jakarta\\.servlet-api-|slf4j-).*\\.jar");
  private static final String CONTEXT_PATH = "/shop";

  private final Process process;
  private final URI base;

  private DeployedWar(Process process, URI base) {
    this.process = process;
    this.base = base;
  }

  /**
   * @param properties system properties of the container: {@code name=value}
   */
  static DeployedWar in(Class<?> container, Path directory, String... properties)
      throws IOException {
    Path output = directory.resolve("output");
    Path work = Files.createDirectory(directory.resolve("work"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Stream.of(properties).map(property -> "-D" + property).forEach(command::add);
    command.addAll(DemoProcess.LEAN);
    command.addAll(List.of("-cp", classPath(), container.getName()));
    command.addAll(List.of(DemoProcess.war().toString(), CONTEXT_PATH, work.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("WEIR_"));
    Process process = builder.redirectOutput(output.toFile()).start();
    try {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !process.isAlive() || Files.readString(output).contains(READY));
      Matcher port = PORT.matcher(Files.readString(output));
      assertThat(port.find()).as(Files.readString(output)).isTrue();
      return new DeployedWar(
          process, URI.create("http://127.0.0.1:" + port.group(1) + CONTEXT_PATH));
    } catch (RuntimeException | AssertionError e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /** Where the application answers. */
  URI base() {
    return base;
  }

  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .map(Path::of)
        .filter(
            entry ->
                entry.endsWith("test-classes")
                    || CONTAINER_JAR.matcher(entry.getFileName().toString()).matches())
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
