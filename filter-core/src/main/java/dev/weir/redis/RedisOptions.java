package dev.weir.redis;

import dev.weir.internal.Expect;
import dev.weir.internal.Redaction;
import dev.weir.internal.store.DigestTags;
import dev.weir.redis.internal.client.Connector;
import dev.weir.redis.internal.client.Reports;
import dev.weir.redis.internal.client.Sharding;
import dev.weir.redis.internal.client.SocketTimer;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.store.Counter;
import dev.weir.store.SubjectTags;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The address of Redis and the options for its use. Immutable; every {@code with} method returns a
 * changed copy.
 *
 * <pre>
 * redis://[user:password@]host[:6379][/database]
 * redis-sentinel://[user:password@]host[:26379],host.../master[/database]
 * redis-cluster://[user:password@]host[:6379],host...
 * </pre>
 *
 * <p>{@code rediss}, {@code rediss-sentinel} and {@code rediss-cluster} are the same over TLS. The
 * host's name is checked against its certificate. User and password are percent-decoded. IPv6
 * addresses are in brackets. Sentinels are queried without credentials, or with the same
 * credentials if they require them. {@link RedisAccess} has more. {@code valkey} may be written for
 * {@code redis}, and {@code +} for {@code -}.
 */
public final class RedisOptions {

  /** The default time that a decision waits for Redis. */
  public static final Duration DEFAULT_DEADLINE = Duration.ofMillis(100);

  private static final Duration LONGEST_DEADLINE = Duration.ofMinutes(1);
  private static final int LONGEST_NAME = 64;
  private static final int SHORTEST_SECRET_BYTES = 16;

  /** The clock that decides. */
  public enum Clock {
    /** The clock of the Redis server ({@code TIME}): one clock for all nodes. */
    REDIS,
    /**
     * The clock of each node, for servers that forbid {@code TIME} in scripts. A node with a clock
     * ahead by d sees every counter d older than it is. So it may allow r·d more than the limit,
     * once. A node with a clock behind waits for the time of the others, and allows no more than
     * they do.
     */
    NODE
  }

  private final RedisUri uri;
  private final String application;
  private final @Nullable String secret;
  private final Duration deadline;
  private final Clock clock;
  private final @Nullable SSLContext sslContext;
  private final RedisAccess access;
  private final Calls calls;
  private final Presence presence;

  /** What a command has. */
  private enum Calls {
    BATCHED,
    SINGLE,
    SINGLE_KEYS
  }

  /**
   * How a store appears to Redis and to the nodes.
   *
   * @param node its id; null for a node of its own
   * @param connection the name of its connections; null for none
   */
  private record Presence(@Nullable String node, boolean isObserver, @Nullable String connection) {

    private static final Presence NODE = new Presence(null, false, null);
  }

  private RedisOptions(
      RedisUri uri,
      String application,
      @Nullable String secret,
      Duration deadline,
      Clock clock,
      @Nullable SSLContext sslContext,
      RedisAccess access,
      Calls calls,
      Presence presence) {
    this.uri = uri;
    this.application = application;
    this.secret = secret;
    this.deadline = deadline;
    this.clock = clock;
    this.sslContext = sslContext;
    this.access = access;
    this.calls = calls;
    this.presence = presence;
  }

  /**
   * Returns options for this Redis with a deadline of 100 ms, its own clock, shared batching, and
   * no secret.
   *
   * @param application the prefix of the keys, so that applications never share counters by
   *     accident: 1 to 64 printable ASCII characters without braces, and no URI
   * @throws IllegalArgumentException when the URI or the application is invalid; the message never
   *     shows a password
   */
  public static RedisOptions of(String uri, String application) {
    RedisUri parsed = RedisUri.parse(uri);
    if (Redaction.isUri(application)) {
      throw Expect.failure(
          "application", "'" + Redaction.printable(application) + "'", "a name, not a URI");
    }
    return new RedisOptions(
        parsed,
        validName("application", application),
        null,
        DEFAULT_DEADLINE,
        Clock.REDIS,
        null,
        RedisAccess.of(),
        Calls.BATCHED,
        Presence.NODE);
  }

  /**
   * Returns options with a secret. Keys cannot be guessed without it: subjects are digested by
   * HMAC-SHA-256. All nodes must have the same secret. After a change of the secret, every counter
   * starts anew.
   *
   * @param secret at least 16 bytes in UTF-8: a shorter one can be found by trial
   * @throws IllegalArgumentException when the secret is blank or shorter; the message does not show
   *     it
   */
  public RedisOptions withSecret(String secret) {
    int bytes = secret.isBlank() ? 0 : secret.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < SHORTEST_SECRET_BYTES) {
      throw Expect.failure(
          "redis.secret",
          "a secret of " + bytes + " bytes",
          "at least " + SHORTEST_SECRET_BYTES + " bytes, as 'openssl rand -base64 32' makes");
    }
    return new RedisOptions(
        uri, application, secret, deadline, clock, sslContext, access, calls, presence);
  }

  /**
   * Returns options with this deadline for a reply of Redis. After that its connection is closed,
   * and Redis counts as unavailable. Heartbeats have the same deadline. A decision has a deadline
   * of its own, {@link dev.weir.store.AcquireRequest#deadline()}. If that was less than half of
   * this one, a time-out does not count against Redis.
   *
   * @throws IllegalArgumentException when it is not positive, or longer than a minute
   */
  public RedisOptions withDeadline(Duration deadline) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw Expect.failure("redis.deadline", deadline, "> 0");
    }
    if (deadline.compareTo(LONGEST_DEADLINE) > 0) {
      throw Expect.failure("redis.deadline", deadline, "at most 1 minute");
    }
    return new RedisOptions(
        uri, application, secret, deadline, clock, sslContext, access, calls, presence);
  }

  /** Returns options with this clock. */
  public RedisOptions withClock(Clock clock) {
    Objects.requireNonNull(clock, "clock");
    return new RedisOptions(
        uri, application, secret, deadline, clock, sslContext, access, calls, presence);
  }

  /**
   * Returns options that send each decision in a command of its own. By default, decisions that are
   * queued while others are in flight share a command. Its script computes the keys that it reads,
   * which some proxies forbid.
   */
  public RedisOptions withoutBatching() {
    return new RedisOptions(
        uri, application, secret, deadline, clock, sslContext, access, Calls.SINGLE, presence);
  }

  /**
   * Returns options that send each counter in a command of its own. Then it is not tried on each
   * new connection whether all keys are on one server, so connecting writes nothing. A decision
   * over several counters is not atomic. Use it in tools that peek.
   */
  public RedisOptions withSingleKeys() {
    return new RedisOptions(
        uri, application, secret, deadline, clock, sslContext, access, Calls.SINGLE_KEYS, presence);
  }

  /**
   * Returns options with own trust or client certificates for TLS, instead of those of the
   * platform.
   */
  public RedisOptions withSslContext(SSLContext sslContext) {
    Objects.requireNonNull(sslContext, "sslContext");
    requireOneSource(sslContext, access);
    return new RedisOptions(
        uri, application, secret, deadline, clock, sslContext, access, calls, presence);
  }

  /**
   * Returns options with this access: credentials, certificates and addresses that are no part of
   * the URI, and may change while the store runs.
   *
   * @throws IllegalArgumentException when it is incomplete, when this URI does not use a part of
   *     it, or when it has files for TLS and there is an SSLContext
   */
  public RedisOptions withAccess(RedisAccess access) {
    access.requireFits(uri);
    requireOneSource(sslContext, access);
    return new RedisOptions(
        uri, application, secret, deadline, clock, sslContext, access, calls, presence);
  }

  private static void requireOneSource(@Nullable SSLContext sslContext, RedisAccess access) {
    if (sslContext != null && access.hasTlsFiles()) {
      throw Expect.failure("redis.sslContext", "an SSLContext and files", "one of both");
    }
  }

  /**
   * Returns options with this node id. Stores with the same id count as one node. So several stores
   * in one process do not reduce each other's share of a limit. A store without an id is a node of
   * its own. An observer remains one, with an id too.
   *
   * <p>Stores of one id in one process should use the same spelling of the URI of their Redis. With
   * two spellings, the last store of one spelling that closes removes the node from the list of
   * live nodes. The next heartbeat of the other adds it again, within six seconds.
   *
   * @param id an id that no other process has: 1 to 64 printable ASCII characters without braces
   * @throws IllegalArgumentException when it is invalid
   */
  public RedisOptions withNode(String id) {
    String valid = validName("node", id);
    return appearing(new Presence(valid, presence.isObserver, presence.connection));
  }

  /**
   * Returns options for a store that is no node, instead of one with an id. It sends no heartbeat,
   * so it does not reduce the nodes' shares of a limit, however it ends. All calls work as usual.
   * In an outage it knows no other nodes: its own {@linkplain RedisLimitStore#nodes number of
   * nodes} is the configured one. Use it in tools and tests, not where requests are served:
   *
   * <pre>{@code
   * RedisOptions options = RedisOptions.of("redis://localhost", "shop").asObserver();
   * try (RedisLimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE)) {
   *   store.awaitAnswer();
   *   TokenLimiter.of("search", "100 per minute", store).peek(Subject.of("user", "alice"));
   * }
   * }</pre>
   */
  public RedisOptions asObserver() {
    return appearing(new Presence(null, true, presence.connection));
  }

  private RedisOptions appearing(Presence other) {
    return new RedisOptions(
        uri, application, secret, deadline, clock, sslContext, access, calls, other);
  }

  /**
   * Returns options with this name of each connection, as {@code CLIENT LIST} shows it, instead of
   * one with the application. A server that does not permit {@code CLIENT SETNAME} shows none.
   *
   * @throws IllegalArgumentException when it is no name of 1 to 64 letters, digits, {@code .},
   *     {@code _} and {@code -}
   */
  public RedisOptions withConnectionName(String name) {
    if (!name.matches("[A-Za-z0-9._-]{1," + LONGEST_NAME + "}")) {
      throw Expect.failure(
          "connectionName",
          "'" + Redaction.printable(name) + "'",
          "1 to " + LONGEST_NAME + " letters, digits, dots, underscores and hyphens");
    }
    return appearing(new Presence(presence.node, presence.isObserver, name));
  }

  /**
   * Returns options for another Redis, with everything else as it is. Credentials of the former URI
   * are dropped with it.
   *
   * @throws IllegalArgumentException when the URI is invalid, or the {@linkplain #withAccess
   *     access} does not fit it; the message never shows a password
   */
  public RedisOptions withUri(String other) {
    RedisUri parsed = RedisUri.parse(other);
    access.requireFits(parsed);
    return new RedisOptions(
        parsed, application, secret, deadline, clock, sslContext, access, calls, presence);
  }

  /**
   * Returns options with this user and password, and all else of the {@linkplain #withAccess
   * access}.
   *
   * @throws IllegalArgumentException when the URI has credentials too
   */
  public RedisOptions withCredentials(String user, String password) {
    return withAccess(
        access.withUser(RedisAccess.text(user)).withPassword(RedisAccess.text(password)));
  }

  /** Returns the URI without user and password. */
  public String location() {
    return uri.toString();
  }

  /** Returns whether keys are digested with a secret. */
  public boolean hasSecret() {
    return secret != null;
  }

  /**
   * Returns the key that has the state of this counter, such as {@code
   * shop:{kG3Xc0nVb1mYq8d2Zt5RwA}b:login}. The digest in it is that of the subject.
   */
  public String key(Counter counter) {
    return new RedisKeys(application, secret()).key(counter);
  }

  /**
   * Returns the key of the list of live nodes, a sorted set by the time of their last heartbeat.
   */
  public String nodesKey() {
    return new RedisKeys(application, secret()).reserved("nodes");
  }

  /** Returns the name that prefixes the keys. */
  public String application() {
    return application;
  }

  /** Returns the time that Redis has to reply before it counts as unavailable. */
  public Duration deadline() {
    return deadline;
  }

  /** Returns the clock that decides. */
  public Clock clock() {
    return clock;
  }

  /** Returns whether decisions may share a command. */
  public boolean batching() {
    return calls == Calls.BATCHED;
  }

  /** Returns the id of this node; empty for a node of its own. */
  public Optional<String> node() {
    return Optional.ofNullable(presence.node);
  }

  /** Returns whether the store is no node, and sends no heartbeat. */
  public boolean isObserver() {
    return presence.isObserver;
  }

  RedisUri uri() {
    return uri;
  }

  /**
   * Returns the tags of subjects for access logs and reports. With a secret they are the start of
   * the digest in the keys, and without one those of this process.
   */
  public SubjectTags subjectTags() {
    return secret().map(DigestTags::keyed).orElseGet(DigestTags::ofProcess);
  }

  Optional<String> secret() {
    return Optional.ofNullable(secret);
  }

  /** Returns what finds out how the server spreads keys. A cluster says where each key is. */
  Sharding sharding(RedisKeys keys, Reports reports) {
    if (calls == Calls.SINGLE_KEYS) {
      return Sharding.ofSingleKeys(reports);
    }
    return new Sharding(
        Optional.of(keys).filter(unused -> uri.kind() != RedisUri.Kind.CLUSTER), reports);
  }

  /** Returns a connector that opens connections with these options. */
  Connector connector(SocketTimer timer, Reports reports, Sharding sharding) {
    return new Connector(
        access.connecting(uri, sslContext, reports::warning),
        connectionName(),
        timer,
        deadline,
        reports,
        sharding);
  }

  /** Returns the name of connections. Redis allows no space in it. */
  String connectionName() {
    return Optional.ofNullable(presence.connection)
        .orElseGet(() -> "weir-" + application.replace(' ', '_'));
  }

  /** Returns whether both have the same Redis, keys, credentials and time. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RedisOptions that && all().equals(that.all());
  }

  @Override
  public int hashCode() {
    return all().hashCode();
  }

  private List<@Nullable Object> all() {
    return Arrays.asList(
        uri, application, secret, deadline, clock, sslContext, access, calls, presence);
  }

  /** Returns the options without password and secret. */
  @Override
  public String toString() {
    return uri
        + ", application "
        + application
        + ", deadline "
        + deadline.toMillis()
        + "ms, clock "
        + clock
        + (batching() ? "" : ", without batching")
        + (presence.isObserver ? ", as an observer" : "")
        + (access.equals(RedisAccess.of()) ? "" : ", with " + access)
        + (secret == null ? "" : ", with secret");
  }

  private static String validName(String field, String name) {
    Expect.notBlank(field, name);
    if (name.length() > LONGEST_NAME) {
      throw Expect.failure(
          field, "a name of " + name.length() + " characters", "at most " + LONGEST_NAME);
    }
    if (!name.chars().allMatch(c -> c >= ' ' && c <= '~' && c != '{' && c != '}')) {
      throw Expect.failure(
          field, "'" + Redaction.printable(name) + "'", "printable ASCII without { and }");
    }
    return name;
  }
}
