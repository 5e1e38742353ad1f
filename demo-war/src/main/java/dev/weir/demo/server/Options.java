package dev.weir.demo.server;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line. */
@Command(
    name = "java -jar demo.war",
    sortOptions = false,
    description = "Runs nodes that share their rate limits through Redis.",
    footer = {
      "",
      "Without --redis and --local a Redis of its own is started. Ctrl-C stops it all.",
      "The nodes listen on 127.0.0.1: only this machine reaches them."
    })
final class Options {

  /** The variable that weir.yaml reads. In the environment it replaces --redis. */
  static final String REDIS_VARIABLE = "WEIR_REDIS";

  private static final Pattern OPTION_NAME = Pattern.compile("--?[\\w-]+");
  private static final int MOST_NODES = 16;
  private static final int HIGHEST_PORT = 65_535;
  private static final Set<String> SCHEMES =
      Set.of(
          "redis",
          "rediss",
          "redis-sentinel",
          "rediss-sentinel",
          "redis-cluster",
          "rediss-cluster");

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "Port of the first node; the others take the next ones (${DEFAULT-VALUE}).")
  int port;

  @Option(
      names = "--nodes",
      paramLabel = "COUNT",
      defaultValue = "2",
      description = "How many nodes, 1 to " + MOST_NODES + " (${DEFAULT-VALUE}).")
  int nodes;

  @Option(
      names = "--redis",
      paramLabel = "URI",
      description =
          "Use this Redis, such as redis://cache:6379, and start none. WEIR_REDIS in the"
              + " environment says the same.")
  @Nullable String redis;

  @Option(names = "--local", description = "Use no Redis: every node limits its share by itself.")
  boolean local;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Use this configuration in place of the WAR's weir.yaml.")
  @Nullable Path config;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  /** The URI from --redis or the environment, set by {@link #validate}. */
  private @Nullable URI redisUri;

  @Spec private @Nullable CommandSpec spec;

  IntStream ports() {
    return IntStream.range(port, port + nodes);
  }

  Optional<URI> redis() {
    return Optional.ofNullable(redisUri);
  }

  /**
   * @throws ParameterException when an option's value, or two options together, make no sense
   */
  void validate() {
    if (nodes < 1 || nodes > MOST_NODES) {
      throw bad("--nodes: " + nodes + " (expected: 1 to " + MOST_NODES + ")");
    }
    int highest = HIGHEST_PORT - nodes + 1;
    if (port < 1 || port > highest) {
      throw bad("--port: " + port + " (expected: 1 to " + highest + ", for " + nodes + " nodes)");
    }
    if (redis != null && local) {
      throw bad("--redis: given with --local (expected: one of them)");
    }
    heedEnvironment(System.getenv().getOrDefault(REDIS_VARIABLE, ""));
    if (redis != null) {
      redisUri = parse("--redis", redis);
    }
    if (config != null && !Files.isReadable(config)) {
      throw bad("--config: '" + config + "' (expected: a file that can be read)");
    }
  }

  /** Requires that options and environment agree: the nodes always see the environment. */
  private void heedEnvironment(String variable) {
    if (variable.isEmpty()) {
      return;
    }
    if (local) {
      throw bad(REDIS_VARIABLE + ": set in the environment (expected: unset, with --local)");
    }
    if (redis != null && !variable.equals(redis)) {
      throw bad(REDIS_VARIABLE + ": set in the environment (expected: unset, with --redis)");
    }
    redisUri = parse(REDIS_VARIABLE, variable);
  }

  /** Never shows the value, which may contain a password. */
  private URI parse(String name, String value) {
    try {
      URI uri = new URI(value);
      if (isRedis(uri)) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // its message quotes the value
    }
    throw bad(name + ": not a URI of Redis (expected: redis://host:port)");
  }

  private static boolean isRedis(URI uri) {
    return uri.getScheme() != null
        && SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT))
        && uri.getAuthority() != null;
  }

  /** Explains a mistake. It shows at most an unknown option's name: the rest may be a URI. */
  static String explain(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return String.valueOf(e.getMessage());
    }
    Matcher name = OPTION_NAME.matcher(unmatched.getUnmatched().get(0));
    return name.lookingAt()
        ? "Unknown option: '" + name.group() + "'"
        : "Unmatched argument (expected: options alone)";
  }

  private ParameterException bad(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }
}
