package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Choices;
import dev.weir.config.internal.document.Durations;
import dev.weir.config.internal.document.Redacted;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.internal.Spelling;
import dev.weir.redis.RedisClock;
import dev.weir.redis.RedisOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads where Redis is: a URI, or a map with more settings. */
public final class RedisReader {

  private static final String EXPECTED =
      "redis://host:6379, redis-sentinel://host,host/master, redis-cluster://host,host, or a map"
          + " with uri";
  private static final String APPLICATION = "a name for the keys in Redis, required with redis";
  private static final List<String> KEYS =
      List.of("uri", "deadline", "clock", "batching", "deny-cache", "secret");
  private static final String IN_URI = "credentials in the URI, as in redis://user:password@host";

  /** Replacements for keys that other libraries have, or that no longer exist. */
  public static final Map<String, String> HINTS =
      Map.of(
          "password", IN_URI,
          "username", IN_URI,
          "user", IN_URI,
          "shared-trips", "batching: on or off, which replaces it");

  private static final Map<String, RedisClock> CLOCKS =
      Choices.ordered("redis", RedisClock.REDIS, "node", RedisClock.NODE);

  private static final Map<String, Boolean> BATCHING = Choices.ordered("on", true, "off", false);

  private static final Duration SHORTEST_DEADLINE = Duration.ofMillis(1);
  private static final Duration LONGEST_DEADLINE = Duration.ofMinutes(1);

  private static final String OFF = "off";
  private static final Duration SHORTEST_DENIAL = Duration.ofMillis(1);
  private static final Duration LONGEST_DENIAL = Duration.ofMinutes(1);

  private static final String URI_FIELD = "redis.uri ";
  private static final String SECRET_FIELD = "redis.secret ";

  /** An arbitrary valid URI, for validating one of the two values alone. */
  private static final String SOME_URI = "redis://localhost";

  private static final String SOME_APPLICATION = "application";

  private final Section top;
  private Optional<Duration> denyCache = Optional.of(Settings.DENY_CACHE);

  private RedisReader(Section top) {
    this.top = top;
  }

  /**
   * The location of Redis, and the settings of the deny cache.
   *
   * @param options empty when there is no Redis, or a problem
   * @param denyCache how long a denial is remembered; empty when none is
   */
  record Found(Optional<RedisOptions> options, Optional<Duration> denyCache) {}

  static Found read(Section top) {
    RedisReader reader = new RedisReader(top);
    Optional<RedisOptions> options = reader.options();
    return new Found(options, reader.denyCache);
  }

  private Optional<RedisOptions> options() {
    Optional<String> application =
        top.value("application")
            .flatMap(value -> value.parsed(APPLICATION, RedisReader::validApplication));
    Optional<Value> redis = top.value("redis").filter(value -> !value.isEmpty());
    if (redis.isEmpty()) {
      return Optional.empty();
    }
    String keys = application.orElse(SOME_APPLICATION);
    Optional<RedisOptions> options =
        redis.get().isMapping()
            ? redis.get().section(EXPECTED, KEYS, HINTS).flatMap(map -> fromMap(map, keys))
            : uri(redis.get(), keys);
    if (options.isPresent() && top.value("application").isEmpty()) {
      top.problem("application", APPLICATION);
    }
    return options;
  }

  private static String hidden(String found) {
    return "a value that is not shown";
  }

  private static String validApplication(String application) {
    return RedisOptions.of(SOME_URI, application).application();
  }

  /** Reads a URI. A problem shows the URI only as the options mask it, and otherwise not at all. */
  private static Optional<RedisOptions> uri(Value value, String application) {
    return value
        .shownAs(RedisReader::hidden)
        .text(EXPECTED)
        .flatMap(
            uri ->
                value
                    .shownAs(RedisReader::masked)
                    .making(EXPECTED, () -> RedisOptions.of(uri, application)));
  }

  private static String masked(String found) {
    return Redacted.quoted(
        found.startsWith(URI_FIELD) ? found.substring(URI_FIELD.length()) : found);
  }

  private Optional<RedisOptions> fromMap(Section map, String application) {
    denyCache = denyCache(map);
    Optional<Duration> deadline =
        map.value("deadline")
            .flatMap(value -> Durations.read(value, SHORTEST_DEADLINE, LONGEST_DEADLINE));
    Optional<RedisClock> clock = map.value("clock").flatMap(value -> value.oneOf(CLOCKS));
    Optional<Boolean> batching = map.value("batching").flatMap(value -> value.oneOf(BATCHING));
    Optional<String> secret = map.value("secret").flatMap(RedisReader::secret);
    return map.required("uri", EXPECTED)
        .filter(value -> !value.isEmpty())
        .flatMap(value -> uri(value, application))
        .map(options -> deadline.map(options::withDeadline).orElse(options))
        .map(options -> clock.map(options::withClock).orElse(options))
        .map(options -> batching.orElse(true) ? options : options.withoutBatching())
        .map(options -> secret.map(options::withSecret).orElse(options));
  }

  /** Reads the secret. If it is too short, the problem shows only its length. */
  private static Optional<String> secret(Value value) {
    String expected = "a secret";
    return value
        .shownAs(RedisReader::hidden)
        .text(expected)
        .flatMap(
            text ->
                value
                    .shownAs(found -> found.substring(SECRET_FIELD.length()))
                    .making(expected, () -> validSecret(text)));
  }

  private static String validSecret(String secret) {
    RedisOptions.of(SOME_URI, SOME_APPLICATION).withSecret(secret);
    return secret;
  }

  private static Optional<Duration> denyCache(Section map) {
    Optional<Value> value = map.value("deny-cache");
    if (value.isEmpty()) {
      return Optional.of(Settings.DENY_CACHE);
    }
    return value.get().isText(OFF) ? Optional.empty() : denialsFor(value.get());
  }

  private static Optional<Duration> denialsFor(Value value) {
    String expected = OFF + ", or " + Durations.EXPECTED;
    Optional<String> text = value.text(expected);
    Optional<String> meant = text.flatMap(word -> Spelling.nearest(word, List.of(OFF)));
    if (meant.isPresent()) {
      value.problem(value.found(), expected, meant);
    }
    return meant.isPresent() || text.isEmpty()
        ? Optional.empty()
        : Durations.read(value, SHORTEST_DENIAL, LONGEST_DENIAL);
  }
}
