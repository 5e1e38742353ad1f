package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.internal.InvalidValueException;
import dev.weir.redis.RedisOptions;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which Redis a command uses: that of the configuration, or another one with the same keys. */
final class RedisChoice {

  /** The password of --redis-user, in the environment. */
  static final String PASSWORD = "WEIR_REDIS_PASSWORD";

  /** A person waits longer than a request. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Option(
      names = "--redis",
      paramLabel = "URI",
      description = "Another Redis than that of the configuration, without a password.")
  @Nullable String uri;

  @Option(
      names = "--redis-user",
      paramLabel = "NAME",
      description =
          "Another user. Its password is in " + PASSWORD + ", or is asked for without echo.")
  @Nullable String user;

  /** Returns the options of an observer that writes nothing unless it is told to. */
  RedisOptions peeking(Configuration configuration, Terminal terminal) {
    return options(configuration, terminal).withSingleKeys();
  }

  /** Returns the options of an observer, which no node counts. */
  RedisOptions options(Configuration configuration, Terminal terminal) {
    RedisOptions found =
        configuration
            .redis()
            .orElseThrow(
                () ->
                    Failure.usage(
                        "redis",
                        "nothing in the configuration",
                        "one: without it, counters are in the process of each node"));
    try {
      RedisOptions there = uri == null ? found : found.withUri(withoutPassword(uri));
      RedisOptions chosen = user == null ? there : there.withCredentials(user, password(terminal));
      return chosen
          .asObserver()
          .withConnectionName("weir-cli")
          .withDeadline(PATIENCE.compareTo(found.deadline()) > 0 ? PATIENCE : found.deadline());
    } catch (InvalidValueException refused) {
      throw Failure.usage(refused.field(), refused.value(), refused.expected());
    }
  }

  private static String withoutPassword(String uri) {
    if (uri.indexOf('@') >= 0) {
      throw Failure.usage(
          "--redis",
          "a URI with a user or password, which the process list shows",
          "a URI without; --redis-user names a user, and " + PASSWORD + " has its password");
    }
    return uri;
  }

  private static String password(Terminal terminal) {
    return Optional.ofNullable(System.getenv(PASSWORD))
        .filter(password -> !password.isEmpty())
        .orElseGet(() -> terminal.value("password of Redis"));
  }
}
