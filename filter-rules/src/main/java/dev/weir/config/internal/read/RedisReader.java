package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import dev.weir.redis.RedisAccess;
import dev.weir.redis.RedisOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads where Redis is: a URI, or a map with more settings. */
final class RedisReader {

  private static final String EXPECTED =
      "redis://host:6379, redis-sentinel://host,host/master, redis-cluster://host,host, or a map"
          + " with uri";
  private static final String URIS =
      "redis://host:6379, redis-sentinel://host,host/master or redis-cluster://host,host; with"
          + " rediss for TLS";
  private static final String NAME = "a name for the keys in Redis, required with redis";
  private static final String HOST_IN_URI =
      "host and port in the URI, as in uri: redis://cache:6379";

  private static final String TLS_IN_URI = "a URI that starts with rediss, which means TLS";

  /** Replacements for keys that other libraries have, or that no longer exist. */
  static final Map<String, String> HINTS =
      Map.ofEntries(
          Map.entry("host", HOST_IN_URI),
          Map.entry("port", HOST_IN_URI),
          Map.entry("hostname", HOST_IN_URI),
          Map.entry("username", "user, with password or password-file"),
          Map.entry("tls", TLS_IN_URI),
          Map.entry("ssl", TLS_IN_URI),
          Map.entry("shared-trips", "batching: on or off, which replaces it"));

  /** Further replacements within the map, where the names mean nothing else. */
  private static final Map<String, String> HINTS_IN_MAP =
      Map.ofEntries(
          Map.entry("ca", "ca-file, with the path of a file in PEM"),
          Map.entry("cert", "certificate-file, with the path of a file in PEM"),
          Map.entry("certificate", "certificate-file, with the path of a file in PEM"),
          Map.entry("key", "private-key-file, with the path of a file in PEM"),
          Map.entry("private-key", "private-key-file, with the path of a file in PEM"),
          Map.entry("truststore", "ca-file, with the path of a file in PEM"),
          Map.entry("keystore", "certificate-file and private-key-file, files in PEM"));

  private static final String OFF = "off";
  private static final ValueType.Length LENGTH =
      new ValueType.Length(Duration.ofMillis(1), Duration.ofMinutes(1));

  private static final String LENGTH_OR_OFF = OFF + ", or " + Value.DURATION + ", from 1ms to 60s";

  /** An arbitrary valid URI, for validating one of the two values alone. */
  private static final String SOME_URI = "redis://localhost";

  private static final String SOME_APPLICATION = "application";

  /** A URI with which all other settings are used. */
  private static final String URI_OF_ALL = "rediss-sentinel://localhost/main";

  private static final ValueType.Form URI_FORM =
      new ValueType.Form(URIS, Forms.caseless("|(redis|valkey)s?([-+](sentinel|cluster))?://.+"));

  private static final Key<Value> URI =
      Key.of("uri", URI_FORM, "rediss://weir:${REDIS_PASSWORD}@cache:6380/2")
          .means(
              "Where Redis is, with user and password, percent-encoded, before the first host, or"
                  + " without.")
          .needsRestart()
          .param("redis");

  private static final Key.Defaulted<Duration> DEADLINE =
      Key.ofParam("deadline", LENGTH, "50ms")
          .means("How long a decision waits for Redis.")
          .needsRestart()
          .or(RedisOptions.DEFAULT_DEADLINE);

  private static final Key.Defaulted<RedisOptions.Clock> CLOCK =
      Key.ofParam("clock", new ValueType.Choice<>(RedisOptions.Clock.class), "node")
          .means(
              "Whose time holds. `node` is for servers that forbid TIME in scripts; nothing can be"
                  + " leased then.")
          .needsRestart()
          .or(RedisOptions.Clock.REDIS);

  private static final Key.Defaulted<Boolean> BATCHING =
      Key.ofParam("batching", ValueType.Flag.ON_OR_OFF, OFF)
          .means("Whether decisions share calls to Redis while others are in flight.")
          .needsRestart()
          .or(true);

  private static final Key<Value> DENY_CACHE =
      Key.ofParam(
              "deny-cache",
              new ValueType.AnyOf(LENGTH_OR_OFF, new ValueType.Form(OFF), LENGTH),
              "200ms")
          .means("How long a denial by Redis is repeated in process at most.")
          .otherwise("`" + Value.print(Settings.DENY_CACHE) + "`")
          .needsRestart();

  private static final Key<Value> SECRET =
      Key.ofParam(
              "secret",
              new ValueType.Form("a secret of at least 16 bytes", "[\\s\\S]{4,}"),
              "${WEIR_SECRET}")
          .means("Subjects are digested with it, so that keys in Redis cannot be guessed.")
          .otherwise("none")
          .needsRestart();

  private static final KeyGroup KEYS =
      KeyGroup.of(
              EXPECTED,
              Stream.concat(
                      Stream.<Key<?>>of(URI, DEADLINE, CLOCK, BATCHING, DENY_CACHE, SECRET),
                      RedisAccessReader.KEYS.stream())
                  .toArray(Key<?>[]::new))
          .requiring(URI)
          .withHints(
              Stream.of(HINTS, HINTS_IN_MAP)
                  .flatMap(hints -> hints.entrySet().stream())
                  .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));

  static final Key<String> APPLICATION =
      Key.ofParam(
              "application",
              new ValueType.Text(NAME, Forms.NAME, name -> RedisOptions.of(SOME_URI, name)),
              "shop")
          .means(
              "The name of the application's keys in Redis. Applications with one name share their"
                  + " limits.")
          .otherwise("required with `redis`")
          .needsRestart();

  static final Key<Value> REDIS =
      Key.of(
              "redis",
              new ValueType.AnyOf(EXPECTED, URI_FORM, new ValueType.Mapping(KEYS)),
              "${WEIR_REDIS:-}")
          .means(
              "The Redis with the counters that all nodes share: its URI, or a map. Empty, it is none.")
          .otherwise("none: each node counts in process; a param sets `uri`")
          .needsRestart();

  /** The options, without Redis or with a problem none, and the time of the deny cache, if any. */
  record Found(Optional<RedisOptions> options, Optional<Duration> denyCache) {}

  private RedisReader() {}

  static Found read(Section top) {
    Optional<String> application = APPLICATION.in(top);
    String named = application.orElse(SOME_APPLICATION);
    Optional<Value> redis = REDIS.written(top);
    Optional<Section> map =
        redis
            .filter(Value::isMapping)
            .flatMap(
                value ->
                    KEYS.read(
                        value.shownAs(
                            key ->
                                "a key without a value, which is not shown: quote a value that has a comma")));
    Optional<Value> uri =
        map.map(keys -> URI.required(keys, EXPECTED)).orElse(redis).filter(it -> !it.isEmpty());
    // a problem shows it only as the options mask it
    Optional<RedisOptions> options =
        uri.flatMap(value -> value.text(EXPECTED))
            .flatMap(
                text ->
                    uri.get().shownAs(Redaction::quoted).check(() -> RedisOptions.of(text, named)));
    if (options.isPresent() && !APPLICATION.isIn(top)) {
      top.missing(APPLICATION.name(), NAME);
    }
    return found(options, map.orElseGet(() -> top.empty(REDIS.name())));
  }

  /** Reads what the map has but the URI. The defaults hold for a URI alone. */
  private static Found found(Optional<RedisOptions> plain, Section map) {
    Duration deadline = DEADLINE.orDefault(map);
    RedisOptions.Clock clock = CLOCK.orDefault(map);
    boolean isBatching = BATCHING.orDefault(map);
    RedisOptions some = RedisOptions.of(SOME_URI, SOME_APPLICATION);
    RedisAccess access =
        RedisAccessReader.read(
            map, plain.orElseGet(() -> RedisOptions.of(URI_OF_ALL, SOME_APPLICATION)));
    Optional<Value> written = SECRET.in(map);
    // if it is too short, the problem shows only its length
    Optional<String> secret =
        written
            .flatMap(value -> value.text("a secret"))
            .filter(text -> written.get().check(() -> some.withSecret(text)).isPresent());
    Optional<RedisOptions> options =
        plain
            .map(it -> it.withDeadline(deadline).withClock(clock).withAccess(access))
            .map(it -> isBatching ? it : it.withoutBatching())
            .map(it -> secret.map(it::withSecret).orElse(it));
    Optional<Duration> denyCache =
        DENY_CACHE.in(map).map(RedisReader::denyCache).orElse(Optional.of(Settings.DENY_CACHE));
    return new Found(options, denyCache);
  }

  private static Optional<Duration> denyCache(Value value) {
    if (value.isText(OFF)) {
      return Optional.empty();
    }
    Optional<String> text = value.text(LENGTH_OR_OFF);
    Optional<String> meant = text.flatMap(word -> Spelling.nearest(word, List.of(OFF)));
    if (meant.isPresent()) {
      value.problem(value.found(), LENGTH_OR_OFF, meant);
      return Optional.empty();
    }
    return text.flatMap(length -> LENGTH.read(value));
  }
}
