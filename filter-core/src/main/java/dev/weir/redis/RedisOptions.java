package dev.weir.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is and how it is used. Immutable; every {@code with} returns a changed copy.
 *
 * <pre>
 * redis://[user:password@]host[:6379][/database]
 * redis-sentinel://[user:password@]host[:26379],host.../master[/database]
 * redis-cluster://[user:password@]host[:6379],host...
 * </pre>
 *
 * <p>{@code rediss}, {@code rediss-sentinel} and {@code rediss-cluster} are the same over TLS, with
 * the host's name checked against its certificate. User and password are percent-decoded; IPv6
 * addresses stand in brackets. Sentinels are asked without credentials, and with the same ones
 * where they want any.
 */
public final class RedisOptions {

  private static final Duration DEFAULT_DEADLINE = Duration.ofMillis(100);
  private static final Duration LONGEST_DEADLINE = Duration.ofMinutes(1);
  private static final int LONGEST_APPLICATION = 64;

  private final RedisUri uri;
  private final String application;
  private final @Nullable String secret;
  private final Duration deadline;
  private final RedisClock clock;
  private final @Nullable SSLContext sslContext;

  private RedisOptions(
      RedisUri uri,
      String application,
      @Nullable String secret,
      Duration deadline,
      RedisClock clock,
      @Nullable SSLContext sslContext) {
    this.uri = uri;
    this.application = application;
    this.secret = secret;
    this.deadline = deadline;
    this.clock = clock;
    this.sslContext = sslContext;
  }

  /**
   * The given Redis with a deadline of 100 ms, its own clock, and no secret.
   *
   * @param application names the keys, so that applications never share counters by accident: 1 to
   *     64 printable ASCII characters without braces
   * @throws IllegalArgumentException when the URI or the application is not one; the message never
   *     shows a password
   */
  public static RedisOptions of(String uri, String application) {
    return new RedisOptions(
        RedisUri.parse(uri),
        validApplication(application),
        null,
        DEFAULT_DEADLINE,
        RedisClock.REDIS,
        null);
  }

  /**
   * With keys that nobody can guess without this secret: subjects are digested by HMAC-SHA-256. All
   * nodes must have the same one; a changed secret is a fresh start for every counter.
   *
   * @throws IllegalArgumentException when the secret is blank
   */
  public RedisOptions withSecret(String secret) {
    if (secret.isBlank()) {
      throw failure("redis.secret", "''", "a secret that is not blank");
    }
    return new RedisOptions(uri, application, secret, deadline, clock, sslContext);
  }

  /**
   * With this deadline for probes and heartbeats. A decision has its own, {@link
   * dev.weir.Ask#deadline()}; one that was given less than half of this and misses it does not
   * speak against Redis.
   *
   * @throws IllegalArgumentException when it is not positive, or longer than a minute
   */
  public RedisOptions withDeadline(Duration deadline) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw failure("redis.deadline", deadline, "> 0");
    }
    if (deadline.compareTo(LONGEST_DEADLINE) > 0) {
      throw failure("redis.deadline", deadline, "at most 1 minute");
    }
    return new RedisOptions(uri, application, secret, deadline, clock, sslContext);
  }

  /** With this clock. */
  public RedisOptions withClock(RedisClock clock) {
    return new RedisOptions(
        uri, application, secret, deadline, Objects.requireNonNull(clock, "clock"), sslContext);
  }

  /** With own trust or client certificates for TLS, instead of the platform's. */
  public RedisOptions withSslContext(SSLContext sslContext) {
    return new RedisOptions(
        uri,
        application,
        secret,
        deadline,
        clock,
        Objects.requireNonNull(sslContext, "sslContext"));
  }

  /** The name under which keys are kept. */
  public String application() {
    return application;
  }

  /** The longest that a probe or a heartbeat may take. */
  public Duration deadline() {
    return deadline;
  }

  /** Whose clock decides. */
  public RedisClock clock() {
    return clock;
  }

  RedisUri uri() {
    return uri;
  }

  Optional<String> secret() {
    return Optional.ofNullable(secret);
  }

  Optional<SSLContext> sslContext() {
    return Optional.ofNullable(sslContext);
  }

  /** Shows neither password nor secret. */
  @Override
  public String toString() {
    return uri
        + ", application "
        + application
        + ", deadline "
        + deadline.toMillis()
        + "ms, clock "
        + clock
        + (secret == null ? "" : ", with secret");
  }

  private static String validApplication(String application) {
    if (application.isBlank()) {
      throw failure("application", "'" + application + "'", "a name that is not blank");
    }
    if (application.length() > LONGEST_APPLICATION) {
      throw failure(
          "application",
          "a name of " + application.length() + " characters",
          "at most " + LONGEST_APPLICATION);
    }
    if (!application.chars().allMatch(RedisOptions::isAllowed)) {
      throw failure(
          "application", "'" + printable(application) + "'", "printable ASCII without { and }");
    }
    return application;
  }

  private static boolean isAllowed(int character) {
    return character >= ' ' && character <= '~' && character != '{' && character != '}';
  }

  static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  static IllegalArgumentException failure(String field, Object value, String expectation) {
    return new IllegalArgumentException(field + ": " + value + " (expected: " + expectation + ")");
  }
}
