package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import dev.weir.redis.RedisClock;
import dev.weir.redis.RedisOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads where Redis is: a URI, or a map with more settings. */
final class RedisReader {

  private static final String EXPECTED =
      "redis://host:6379, redis-sentinel://host,host/master, redis-cluster://host,host, or a map"
          + " with uri";
  private static final String APPLICATION = "a name for the keys in Redis, required with redis";
  private static final List<String> KEYS =
      List.of("uri", "deadline", "clock", "batching", "deny-cache", "secret");
  private static final String IN_URI = "credentials in the URI, as in redis://user:password@host";

  private static final String HOST_IN_URI =
      "host and port in the URI, as in uri: redis://cache:6379";

  /** Replacements for keys that other libraries have, or that no longer exist. */
  static final Map<String, String> HINTS =
      Map.of(
          "host", HOST_IN_URI,
          "port", HOST_IN_URI,
          "hostname", HOST_IN_URI,
          "password", IN_URI,
          "username", IN_URI,
          "user", IN_URI,
          "shared-trips", "batching: on or off, which replaces it");

  private static final String NOT_SHOWN =
      "a key without a value, which is not shown: quote a value that has a comma";

  private static final String OFF = "off";
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** An arbitrary valid URI, for validating one of the two values alone. */
  private static final String SOME_URI = "redis://localhost";

  private static final String SOME_APPLICATION = "application";

  /**
   * The location of Redis, and the settings of the deny cache.
   *
   * @param options empty when there is no Redis, or a problem
   * @param denyCache how long a denial is remembered; empty when none is
   */
  record Found(Optional<RedisOptions> options, Optional<Duration> denyCache) {

    boolean decidesByNodeClock() {
      return options.filter(it -> it.clock() == RedisClock.NODE).isPresent();
    }
  }

  private RedisReader() {}

  static Found read(Section top) {
    Optional<String> application =
        top.value("application")
            .flatMap(value -> value.checked(APPLICATION, name -> RedisOptions.of(SOME_URI, name)));
    Optional<Value> redis = top.value("redis").filter(value -> !value.isEmpty());
    if (redis.isEmpty()) {
      return new Found(Optional.empty(), Optional.of(Settings.DENY_CACHE));
    }
    String keys = application.orElse(SOME_APPLICATION);
    Found found =
        redis.get().isMapping()
            ? fromMap(redis.get(), keys)
            : new Found(uri(redis.get(), keys), Optional.of(Settings.DENY_CACHE));
    if (found.options().isPresent() && !top.has("application")) {
      top.missing("application", APPLICATION);
    }
    return found;
  }

  /** Reads a URI. A problem shows the URI only as the options mask it. */
  private static Optional<RedisOptions> uri(Value value, String application) {
    return value
        .text(EXPECTED)
        .flatMap(
            uri -> value.shownAs(Redaction::quoted).check(() -> RedisOptions.of(uri, application)));
  }

  private static Found fromMap(Value value, String application) {
    Optional<Section> section = value.shownAs(key -> NOT_SHOWN).section(EXPECTED, KEYS, HINTS);
    if (section.isEmpty()) {
      return new Found(Optional.empty(), Optional.of(Settings.DENY_CACHE));
    }
    Section map = section.get();
    Optional<Duration> denyCache =
        map.read("deny-cache", Settings.DENY_CACHE, RedisReader::denyCache);
    Optional<Duration> deadline =
        map.value("deadline").flatMap(it -> it.duration(SHORTEST, LONGEST));
    RedisClock clock = map.oneOf("clock", RedisClock.REDIS);
    boolean isBatching = map.flag("batching", "on", OFF, true);
    Optional<String> secret = map.value("secret").flatMap(RedisReader::secret);
    Optional<RedisOptions> options =
        map.required("uri", EXPECTED)
            .filter(uri -> !uri.isEmpty())
            .flatMap(uri -> uri(uri, application))
            .map(it -> it.withClock(clock))
            .map(it -> deadline.map(it::withDeadline).orElse(it))
            .map(it -> isBatching ? it : it.withoutBatching())
            .map(it -> secret.map(it::withSecret).orElse(it));
    return new Found(options, denyCache);
  }

  /** Reads the secret. If it is too short, the problem shows only its length. */
  private static Optional<String> secret(Value value) {
    return value.text("a secret").flatMap(secret -> value.check(() -> validSecret(secret)));
  }

  private static String validSecret(String secret) {
    RedisOptions.of(SOME_URI, SOME_APPLICATION).withSecret(secret);
    return secret;
  }

  private static Optional<Duration> denyCache(Value value) {
    if (value.isText(OFF)) {
      return Optional.empty();
    }
    String expected = OFF + ", or " + Value.DURATION;
    Optional<String> text = value.text(expected);
    Optional<String> meant = text.flatMap(word -> Spelling.nearest(word, List.of(OFF)));
    if (meant.isPresent()) {
      value.problem(value.found(), expected, meant);
      return Optional.empty();
    }
    return text.flatMap(length -> value.duration(SHORTEST, LONGEST));
  }
}
