package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.ValueType;
import dev.weir.redis.RedisAccess;
import dev.weir.redis.RedisOptions;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads how connections to Redis are accepted: what the map of Redis has in addition to the URI.
 * Each value is checked by itself, whether the URI is right or wrong, and then with the URI.
 *
 * <p>A text in the place of a file may be the secret itself. It is shown only where it looks like a
 * path.
 */
final class RedisAccessReader {

  private static final ValueType.Form TEXT = new ValueType.Form("a text", "[\\s\\S]+");
  private static final ValueType.Form LINE_FILE =
      new ValueType.Form("a file of one line, as a path", Forms.ANY);
  private static final ValueType.Form PEM_FILE =
      new ValueType.Form("a file in PEM, as a path", Forms.ANY);

  private static final String NONE = "none";
  private static final String ADDRESSES_EXPECTED =
      "a map from the address that a server announces to the one that reaches it, as in"
          + " { \"10.0.0.5:6379\": \"redis.example:7001\" }";
  private static final String PAIR = "two addresses, as in 10.0.0.5:6379=redis.example:7001";
  private static final String HOST_AND_PORT = "a host and its port, as in redis.example:7001";

  /** Stands for any credential where only the URI is checked. */
  private static final Supplier<String> ANY = RedisAccess.text("any");

  private static final String HIDDEN = "a text that is not shown, since it may be a secret";

  /** What looks like a path, and like no secret in Base64, in quotes and perhaps cut. */
  private static final Pattern PATH =
      Pattern.compile("'(\\.{1,2}/|[A-Za-z]:[\\\\/]|(?<directory>/[^/\\s]+)/)\\S*");

  /** What may be the path of a certificate, but is no text in PEM. */
  private static final Pattern PATH_OF_CERTIFICATE = Pattern.compile("'(?!.*---)\\S*");

  private static final Key<Value> USER =
      Key.ofParam("user", TEXT, "weir")
          .means("The user at a server that knows several, as it is: nothing is percent-encoded.")
          .otherwise("that of `uri`")
          .needsRestart();

  private static final Key<Value> USER_FILE =
      Key.ofParam("user-file", LINE_FILE, "/run/secrets/redis-user")
          .means("A file with the user instead, which is read again for each new connection.")
          .otherwise(NONE)
          .needsRestart();

  private static final Key<Value> PASSWORD =
      Key.ofParam("password", TEXT, "${REDIS_PASSWORD}")
          .means("The password, as it is: nothing is percent-encoded.")
          .otherwise("that of `uri`")
          .needsRestart();

  private static final Key<Value> PASSWORD_FILE =
      Key.ofParam("password-file", LINE_FILE, "/run/secrets/redis")
          .means("A file with the password instead, which is read again for each new connection.")
          .otherwise(NONE)
          .needsRestart();

  private static final Key<Value> SENTINEL_USER =
      Key.ofParam("sentinel-user", TEXT, "watcher")
          .means("The user at the sentinels, if it is another one.")
          .otherwise(NONE)
          .needsRestart();

  private static final Key<Value> SENTINEL_PASSWORD =
      Key.ofParam("sentinel-password", TEXT, "${SENTINEL_PASSWORD}")
          .means("The password of the sentinels, if it is another one.")
          .otherwise("none, or that of the servers where a sentinel requires one")
          .needsRestart();

  private static final Key<Value> SENTINEL_PASSWORD_FILE =
      Key.ofParam("sentinel-password-file", LINE_FILE, "/run/secrets/sentinel")
          .means("A file with the sentinels' password, which is read again as `password-file`.")
          .otherwise(NONE)
          .needsRestart();

  private static final Key<Value> CA_FILE =
      Key.ofParam("ca-file", PEM_FILE, "/etc/redis/ca.pem")
          .means(
              "The authorities whose certificates a server may have. Read again for each new"
                  + " connection, as the two files below.")
          .otherwise("those that the JVM trusts")
          .needsRestart();

  private static final Key<Value> CERTIFICATE_FILE =
      Key.ofParam("certificate-file", PEM_FILE, "/etc/redis/client.pem")
          .means("The client certificate, and after it those that lead to an authority.")
          .otherwise(NONE)
          .needsRestart();

  private static final Key<Value> PRIVATE_KEY_FILE =
      Key.ofParam("private-key-file", PEM_FILE, "/etc/redis/client.key")
          .means("The key of the client certificate, in PKCS#8 without a pass phrase.")
          .otherwise("required with `certificate-file`")
          .needsRestart();

  private static final Key.Defaulted<Boolean> VERIFY_HOST =
      Key.ofParam("verify-host", ValueType.Flag.ON_OR_OFF, "off")
          .means(
              "Whether a server's certificate must name its host. With `off`, any server with a"
                  + " certificate of the authorities is trusted.")
          .needsRestart()
          .or(true);

  private static final Key<Value> ADDRESSES =
      Key.ofParam(
              "addresses",
              new ValueType.AnyOf(
                  ADDRESSES_EXPECTED,
                  new ValueType.ByName(
                      ADDRESSES_EXPECTED, new ValueType.Form(HOST_AND_PORT, ".+:[0-9]{1,5}")),
                  new ValueType.Items(PAIR, Pattern.compile(".+:[0-9]{1,5}\\s*=.+:[0-9]{1,5}"))),
              "{ \"10.0.0.5:6379\": \"redis.example:7001\" }")
          .means(
              "Where servers are reached that announce other addresses, as those of a cluster behind"
                  + " a NAT. A param has pairs such as `10.0.0.5:6379=redis.example:7001`.")
          .otherwise("what servers announce")
          .needsRestart();

  /** All of them, in the order of the documents. */
  static final List<Key<?>> KEYS =
      List.of(
          USER,
          USER_FILE,
          PASSWORD,
          PASSWORD_FILE,
          SENTINEL_USER,
          SENTINEL_PASSWORD,
          SENTINEL_PASSWORD_FILE,
          CA_FILE,
          CERTIFICATE_FILE,
          PRIVATE_KEY_FILE,
          VERIFY_HOST,
          ADDRESSES);

  private final Section map;
  private final RedisOptions options;
  private RedisAccess access = RedisAccess.of();

  private RedisAccessReader(Section map, RedisOptions options) {
    this.map = map;
    this.options = options;
  }

  /**
   * Returns the access, or none with a problem. All problems are reported.
   *
   * @param options with the URI that it must fit
   */
  static RedisAccess read(Section map, RedisOptions options) {
    RedisAccessReader reader = new RedisAccessReader(map, options);
    reader.readCredentials();
    reader.readSentinelCredentials();
    reader.readTls();
    reader.readAddresses();
    return reader.access;
  }

  private void readCredentials() {
    Optional<Supplier<String>> user = credential(USER, USER_FILE);
    Optional<Supplier<String>> password = credential(PASSWORD, PASSWORD_FILE);
    boolean areValid =
        user.isPresent() == areIn(USER, USER_FILE)
            && password.isPresent() == areIn(PASSWORD, PASSWORD_FILE);
    take(
        RedisAccess.of().withPassword(ANY),
        it -> with(with(it, user, RedisAccess::withUser), password, RedisAccess::withPassword),
        areValid,
        PASSWORD,
        PASSWORD_FILE,
        USER,
        USER_FILE);
  }

  private void readSentinelCredentials() {
    Optional<Supplier<String>> user = text(SENTINEL_USER, "a user name").map(RedisAccess::text);
    Optional<Supplier<String>> password = credential(SENTINEL_PASSWORD, SENTINEL_PASSWORD_FILE);
    boolean areValid =
        user.isPresent() == areIn(SENTINEL_USER)
            && password.isPresent() == areIn(SENTINEL_PASSWORD, SENTINEL_PASSWORD_FILE);
    take(
        RedisAccess.of().withSentinelPassword(ANY),
        it ->
            with(
                with(it, user, RedisAccess::withSentinelUser),
                password,
                RedisAccess::withSentinelPassword),
        areValid,
        SENTINEL_PASSWORD,
        SENTINEL_PASSWORD_FILE,
        SENTINEL_USER);
  }

  private void readTls() {
    Optional<Path> authorities =
        file(CA_FILE, RedisAccessReader::mayBeCertificate, RedisAccess::withAuthorities);
    Optional<Path> certificate =
        file(
            CERTIFICATE_FILE,
            RedisAccessReader::mayBeCertificate,
            RedisAccess::withClientCertificate);
    Optional<Path> key =
        file(
            PRIVATE_KEY_FILE,
            RedisAccessReader::isPath,
            (it, path) ->
                with(it.withPrivateKey(path), certificate, RedisAccess::withClientCertificate));
    boolean checksHost = VERIFY_HOST.orDefault(map);
    boolean areValid =
        authorities.isPresent() == areIn(CA_FILE)
            && certificate.isPresent() == areIn(CERTIFICATE_FILE)
            && key.isPresent() == areIn(PRIVATE_KEY_FILE);
    take(
        RedisAccess.of().withoutHostCheck(),
        it -> {
          RedisAccess withFiles = with(it, authorities, RedisAccess::withAuthorities);
          withFiles = with(withFiles, certificate, RedisAccess::withClientCertificate);
          withFiles = with(withFiles, key, RedisAccess::withPrivateKey);
          return checksHost ? withFiles : withFiles.withoutHostCheck();
        },
        areValid,
        CERTIFICATE_FILE,
        PRIVATE_KEY_FILE,
        CA_FILE,
        VERIFY_HOST);
  }

  /** Reads a map of addresses, or a list of pairs, as an init-param has it. */
  private void readAddresses() {
    Optional<Value> written = ADDRESSES.written(map);
    if (written.isEmpty()) {
      return;
    }
    Map<String, String> reached = new LinkedHashMap<>();
    if (written.get().isMapping()) {
      written
          .get()
          .names(ADDRESSES_EXPECTED)
          .ifPresent(
              names ->
                  names.forEach(
                      (announced, value) ->
                          value
                              .text(HOST_AND_PORT)
                              .filter(host -> isPair(value, announced, host))
                              .ifPresent(host -> reached.put(announced, host))));
    } else {
      for (Value item : written.get().items(ADDRESSES_EXPECTED)) {
        List<String> pair =
            item.text(PAIR).map(text -> List.of(text.split("\\s*=\\s*", -1))).orElse(List.of());
        if (pair.size() == 2 && isPair(item, pair.get(0), pair.get(1))) {
          reached.put(pair.get(0), pair.get(1));
        } else if (!pair.isEmpty() && pair.size() != 2) {
          item.refuse(PAIR);
        }
      }
    }
    take(
        RedisAccess.of().withAddresses(Map.of("announced:1", "reached:1")),
        it -> it.withAddresses(reached),
        !reached.isEmpty(),
        ADDRESSES);
  }

  private static boolean isPair(Value value, String announced, String host) {
    return value.check(() -> RedisAccess.of().withAddresses(Map.of(announced, host))).isPresent();
  }

  // ---------------------------------------------------------------- values

  /**
   * Adds these settings if they are valid, complete, and used with the URI. If not, the first that
   * is written has the problem.
   *
   * @param one is used with each URI with which the settings are
   * @param areValid whether no problem with one of them was reported
   */
  private void take(
      RedisAccess one,
      Function<RedisAccess, RedisAccess> settings,
      boolean areValid,
      Key<?>... keys) {
    Optional<Value> first = Stream.of(keys).flatMap(key -> key.written(map).stream()).findFirst();
    if (first.isPresent()
        && first.get().check(() -> options.withAccess(one)).isPresent()
        && areValid) {
      access = first.get().check(() -> fitting(settings.apply(access))).orElse(access);
    }
  }

  private RedisAccess fitting(RedisAccess all) {
    RedisOptions unused = options.withAccess(all);
    return all;
  }

  private boolean areIn(Key<?>... keys) {
    return Stream.of(keys).anyMatch(key -> key.isIn(map));
  }

  private static <T> RedisAccess with(
      RedisAccess access, Optional<T> value, BiFunction<RedisAccess, T, RedisAccess> method) {
    return value.map(it -> method.apply(access, it)).orElse(access);
  }

  /** Reads a credential, which one of two keys may have. */
  private Optional<Supplier<String>> credential(Key<Value> inPlace, Key<Value> inFile) {
    Optional<Supplier<String>> text =
        text(inPlace, "a text; a file with it is named by '" + inFile.name() + "'")
            .map(RedisAccess::text);
    Optional<Value> file =
        inFile.written(map).map(value -> shownIf(RedisAccessReader::isPath, value));
    if (inPlace.isIn(map) && file.isPresent()) {
      String names = inPlace.name() + ", " + inFile.name();
      file.get()
          .problem(inFile.name() + " together with " + inPlace.name(), "only one of " + names);
      return text;
    }
    return file.flatMap(
            value -> path(value).flatMap(path -> value.check(() -> RedisAccess.file(path))))
        .or(() -> text);
  }

  private Optional<String> text(Key<Value> key, String expected) {
    Optional<Value> written = key.written(map).map(value -> value.shownAs(found -> HIDDEN));
    Optional<String> text = written.flatMap(value -> value.text(expected));
    if (text.filter(RedisAccessReader::isFile).isPresent()) {
      written.ifPresent(value -> value.problem("the path of a file", expected));
      return Optional.empty();
    }
    return text;
  }

  private static boolean isFile(String text) {
    try {
      return text.startsWith("/") && Files.isRegularFile(Path.of(text));
    } catch (InvalidPathException noPath) {
      return false;
    }
  }

  /** Reads the path of a file that this method of an access takes. */
  private Optional<Path> file(
      Key<Value> key, Predicate<String> shown, BiFunction<RedisAccess, Path, RedisAccess> method) {
    return key.written(map)
        .map(value -> shownIf(shown, value))
        .flatMap(
            value ->
                path(value)
                    .filter(
                        path ->
                            value.check(() -> method.apply(RedisAccess.of(), path)).isPresent()));
  }

  private static Value shownIf(Predicate<String> isShown, Value value) {
    return value.shownAs(found -> isShown.test(found) ? found : HIDDEN);
  }

  private static boolean mayBeCertificate(String found) {
    return PATH_OF_CERTIFICATE.matcher(found).matches();
  }

  /** Returns whether it is a path. One that begins with a slash begins with a real directory. */
  private static boolean isPath(String found) {
    Matcher path = PATH.matcher(found);
    return path.matches()
        && (path.group("directory") == null || Files.isDirectory(Path.of(path.group("directory"))));
  }

  private static Optional<Path> path(Value value) {
    String expected = "the path of a file";
    try {
      return value
          .text(expected)
          .map(Path::of)
          .filter(path -> Files.exists(path) || !value.isAssumedFile());
    } catch (InvalidPathException noPath) {
      return value.refuse(expected);
    }
  }
}
