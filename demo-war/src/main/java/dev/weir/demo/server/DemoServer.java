package dev.weir.demo.server;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The whole demo. {@link #call} starts what the command line requests and returns an exit code, 0
 * when it runs. {@link #close} stops all of it, in any state.
 */
public final class DemoServer implements Callable<Integer>, AutoCloseable {

  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private final Path war;
  private final List<String> arguments;
  private final Options options = new Options();
  private final CommandLine commandLine = new CommandLine(options);
  private final PrintWriter out = commandLine.getOut();
  private final PrintWriter err = commandLine.getErr();
  private final Deque<Runnable> running = new ArrayDeque<>();
  private boolean closed;

  /**
   * @param war the unpacked WAR
   * @param arguments the command line
   */
  public DemoServer(Path war, List<String> arguments) {
    this.war = war;
    this.arguments = List.copyOf(arguments);
  }

  @Override
  public synchronized Integer call() throws Exception {
    try {
      commandLine.parseArgs(arguments.toArray(String[]::new));
      if (options.help) {
        commandLine.usage(out);
        return 0;
      }
      options.validate();
    } catch (ParameterException e) {
      err.println(Options.explain(e));
      err.println("--help shows what there is.");
      return MISUSED;
    }
    return closed ? 0 : start();
  }

  @Override
  public synchronized void close() {
    closed = true;
    while (!running.isEmpty()) {
      running.pop().run();
    }
  }

  private int start() throws Exception {
    Logs.calm();
    List<Node> nodes = new ArrayList<>();
    for (int port : options.ports().toArray()) {
      try {
        Node node = Node.open(port);
        running.push(node::close);
        nodes.add(node);
      } catch (IOException e) {
        err.println(
            "port: %d cannot be opened, for %s (expected: a free one). Choose others with --port."
                .formatted(port, reason(e)));
        return FAILED;
      }
    }
    Backend backend = backend();
    configure(backend);
    try {
      for (Node node : nodes) {
        node.start(war, parameters(node, nodes, backend), backend.handlers());
      }
    } catch (ServletException e) {
      err.println(e.getMessage());
      return FAILED;
    }
    introduce(nodes, backend);
    return 0;
  }

  private static String reason(IOException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
  }

  private Backend backend() throws IOException {
    if (options.local) {
      return new Backend.Local();
    }
    Optional<URI> given = options.redis();
    if (given.isPresent()) {
      return new Backend.Given(given.get());
    }
    try {
      Path directory = war.resolve("WEB-INF/server/redis");
      EmbeddedRedis redis = new EmbeddedRedis(RedisBinary.find(directory), directory);
      running.push(redis::close);
      redis.start();
      return new Backend.Embedded(redis);
    } catch (RedisMissingException e) {
      err.println(e.getMessage());
      err.println("Going on with --local.");
      return new Backend.Local();
    }
  }

  /** Sets system properties, which weir.yaml uses where the environment has no such variable. */
  private void configure(Backend backend) {
    System.setProperty(Options.REDIS_VARIABLE, backend.uri());
    System.setProperty("WEIR_NODES", String.valueOf(options.nodes));
    if (options.config != null) {
      System.setProperty("weir.config", options.config.toAbsolutePath().toString());
    }
  }

  private static Map<String, String> parameters(Node node, List<Node> nodes, Backend backend) {
    return Map.of(
        "weir.demo.control",
        String.valueOf(backend.handlers().length > 0),
        "weir.demo.node",
        String.valueOf(node.port()),
        "weir.demo.ports",
        nodes.stream().map(Node::port).map(String::valueOf).collect(Collectors.joining(",")));
  }

  private void introduce(List<Node> nodes, Backend backend) {
    out.println();
    for (Node node : nodes) {
      out.println("  node   " + node.origin() + "/");
    }
    out.println("         for this machine alone, at " + Node.ADDRESS);
    out.println("  store  " + backend);
    out.println();
    out.println("  Open the page of a node, or try:");
    out.println("  curl -i -H 'X-API-Key: a' " + nodes.get(0).origin() + "/api/hello");
    out.println("  Ctrl-C stops everything.");
    out.println();
    out.flush();
  }
}
