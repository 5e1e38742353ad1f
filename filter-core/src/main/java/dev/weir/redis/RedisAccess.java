package dev.weir.redis;

import dev.weir.internal.Expect;
import dev.weir.internal.InvalidValueException;
import dev.weir.internal.Redaction;
import dev.weir.internal.store.Failures;
import dev.weir.redis.internal.client.Access;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.RedisConnection.Login;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * How connections to Redis are accepted: credentials, certificates, and the addresses at which
 * servers are reached. Immutable; every {@code with} method returns a changed copy.
 *
 * <p>User names and passwords are suppliers. Each new connection calls them, and reads the files
 * again. So they may rotate while the store runs: once Redis closes or refuses a connection, the
 * next one has the present credentials and certificates. While a file is missing or invalid, new
 * connections use what was read before, and a warning names the problem.
 *
 * <pre>{@code
 * RedisOptions.of("rediss://cache:6380", "shop")
 *     .withAccess(
 *         RedisAccess.of()
 *             .withUser(RedisAccess.text("weir"))
 *             .withPassword(RedisAccess.file(Path.of("/run/secrets/redis")))
 *             .withAuthorities(Path.of("/etc/redis/ca.pem")));
 * }</pre>
 *
 * <p>Two are equal if they have the same texts and files, whatever the files contain.
 */
public final class RedisAccess {

  private static final RedisAccess NONE =
      new RedisAccess(Credentials.NONE, Credentials.NONE, PemFiles.NONE, true, Map.of());

  private static final String ADDRESS = "an address with its port, as in 10.0.0.5:6379";

  private final Credentials servers;
  private final Credentials sentinels;
  private final PemFiles files;
  private final boolean checksHost;
  private final Map<Host, Host> addresses;

  /** A user and a password. Without a password there is no login. */
  private record Credentials(@Nullable Supplier<String> user, @Nullable Supplier<String> password) {

    static final Credentials NONE = new Credentials(null, null);

    boolean isNone() {
      return user == null && password == null;
    }

    /** Returns what supplies a login, or null without a password. */
    @Nullable Supplier<Login> login(int database, Consumer<String> warnings) {
      if (password == null) {
        return null;
      }
      @Nullable Supplier<String> name = user == null ? null : rereading(user, warnings);
      Supplier<String> secret = rereading(password, warnings);
      return () -> new Login(name == null ? null : required(name), required(secret), database);
    }

    private static Supplier<String> rereading(Supplier<String> credential, Consumer<String> to) {
      return credential instanceof CredentialFile
          ? new LastValid<>(credential, to)
          : () -> supplied(credential);
    }

    /** Calls a supplier, whose exception may have the credential in its message. */
    private static String supplied(Supplier<String> credential) {
      try {
        return credential.get();
      } catch (RuntimeException failed) {
        throw new IllegalStateException(
            "the supplier of a user or password failed: " + Failures.brief(failed));
      }
    }

    private static String required(Supplier<String> credential) {
      return Objects.requireNonNull(credential.get(), "a user or password of Redis");
    }
  }

  /** A credential that does not change. */
  private record Text(String text) implements Supplier<String> {

    @Override
    public String get() {
      return text;
    }

    /** Returns no credential. */
    @Override
    public String toString() {
      return "***";
    }
  }

  private RedisAccess(
      Credentials servers,
      Credentials sentinels,
      PemFiles files,
      boolean checksHost,
      Map<Host, Host> addresses) {
    this.servers = servers;
    this.sentinels = sentinels;
    this.files = files;
    this.checksHost = checksHost;
    this.addresses = addresses;
  }

  /** Returns the access that a URI alone gives. */
  public static RedisAccess of() {
    return NONE;
  }

  /** Returns a supplier of this text, which is not percent-encoded. */
  public static Supplier<String> text(String credential) {
    return new Text(Expect.notBlank("redis credentials", credential));
  }

  /**
   * Returns a supplier of the one line of this file, without its line end. It reads the file for
   * each connection.
   *
   * @throws IllegalArgumentException when the file has no such line now; no message shows the line
   */
  public static Supplier<String> file(Path path) {
    CredentialFile file = CredentialFile.of(path);
    String unused = file.get();
    return file;
  }

  /** Returns an access with this user, for a server that knows several. It needs a password. */
  public RedisAccess withUser(Supplier<String> user) {
    return with(
        new Credentials(Objects.requireNonNull(user, "user"), servers.password()), sentinels);
  }

  /** Returns an access with this password. The URI must have none then. */
  public RedisAccess withPassword(Supplier<String> password) {
    return with(
        new Credentials(servers.user(), Objects.requireNonNull(password, "password")), sentinels);
  }

  /** Returns an access with another user for sentinels. It needs a sentinel password. */
  public RedisAccess withSentinelUser(Supplier<String> user) {
    return with(
        servers, new Credentials(Objects.requireNonNull(user, "user"), sentinels.password()));
  }

  /**
   * Returns an access with another password for sentinels. Without it, sentinels are queried
   * without credentials, or with those of the servers if they require them.
   */
  public RedisAccess withSentinelPassword(Supplier<String> password) {
    return with(
        servers, new Credentials(sentinels.user(), Objects.requireNonNull(password, "password")));
  }

  /**
   * Returns an access that trusts servers with certificates of these authorities only, instead of
   * those that the JVM trusts.
   *
   * @param pem a file with one certificate or several in PEM
   * @throws IllegalArgumentException when the file has none now
   */
  public RedisAccess withAuthorities(Path pem) {
    return with(files.withAuthorities(new SmallFile("redis.ca-file", pem)));
  }

  /**
   * Returns an access with a client certificate. It needs its {@linkplain #withPrivateKey private
   * key}.
   *
   * @param pem a file with the certificate in PEM, and after it those that lead to an authority
   * @throws IllegalArgumentException when the file has none now, or the private key is another's
   */
  public RedisAccess withClientCertificate(Path pem) {
    return with(files.withCertificate(new SmallFile("redis.certificate-file", pem)));
  }

  /**
   * Returns an access with the private key of the client certificate.
   *
   * @param pem a file with a key in PEM, as PKCS#8 without a pass phrase
   * @throws IllegalArgumentException when the file has none now, or it is not the certificate's
   */
  public RedisAccess withPrivateKey(Path pem) {
    return with(files.withPrivateKey(new SmallFile("redis.private-key-file", pem)));
  }

  /**
   * Returns an access that accepts the certificate of any host, if an authority has signed it. Any
   * server with such a certificate can then pretend to be Redis.
   */
  public RedisAccess withoutHostCheck() {
    return new RedisAccess(servers, sentinels, files, false, addresses);
  }

  /**
   * Returns an access to servers that announce addresses at which they are not reached, such as
   * those of a cluster behind a NAT.
   *
   * @param reached where a server is reached, by the address that it announces: a host and a port
   *     each, such as {@code redis.example:7001} by {@code 10.0.0.5:6379}
   * @throws IllegalArgumentException when one is invalid, or when two are reached at one address
   */
  public RedisAccess withAddresses(Map<String, String> reached) {
    Map<Host, Host> hosts = new HashMap<>();
    reached.forEach((from, to) -> hosts.put(host(from), host(to)));
    if (hosts.size() < reached.size() || new HashSet<>(hosts.values()).size() < hosts.size()) {
      throw Expect.failure("redis.addresses", "two servers at one address", "one for each server");
    }
    return new RedisAccess(servers, sentinels, files, checksHost, Map.copyOf(hosts));
  }

  private static Host host(String text) {
    String shown = Redaction.quoted(text);
    try {
      Host host = RedisUri.host(text, 0);
      if (host.port() > 0) {
        return host;
      }
    } catch (InvalidValueException broken) {
      throw Expect.failure("redis.addresses", shown, broken.expected());
    }
    throw Expect.failure("redis.addresses", shown, ADDRESS);
  }

  private RedisAccess with(Credentials ofServers, Credentials ofSentinels) {
    return new RedisAccess(ofServers, ofSentinels, files, checksHost, addresses);
  }

  /** Returns a copy with these files, which are read once to see that they are valid. */
  private RedisAccess with(PemFiles present) {
    SSLContext unused = present.context(present.read());
    return new RedisAccess(servers, sentinels, present, checksHost, addresses);
  }

  boolean hasTlsFiles() {
    return !files.equals(PemFiles.NONE);
  }

  // ---------------------------------------------------------------- use

  /**
   * Checks that all of this is complete, and is used with this URI.
   *
   * @throws InvalidValueException for the first that is not
   */
  void requireFits(RedisUri uri) {
    if (!servers.isNone() && uri.password() != null) {
      throw Expect.failure(
          "redis.password", "credentials here and in the URI", "them in one of both places");
    }
    requirePassword("redis.user", servers, "password or password-file, too");
    boolean isSentinel = uri.kind() == RedisUri.Kind.SENTINEL;
    if (!sentinels.isNone() && !isSentinel) {
      throw Expect.failure(
          "redis.sentinel-password",
          "credentials of sentinels, without sentinels",
          "a URI that starts with redis-sentinel or rediss-sentinel");
    }
    requirePassword(
        "redis.sentinel-user", sentinels, "sentinel-password or sentinel-password-file, too");
    if (!uri.tls() && (hasTlsFiles() || !checksHost)) {
      throw Expect.failure(
          "redis.ca-file", "a setting of TLS, without TLS", "a URI that starts with rediss");
    }
    if (files.certificate() != null && files.privateKey() == null) {
      throw Expect.failure(
          "redis.certificate-file", "a certificate without its key", "private-key-file, too");
    }
    if (files.certificate() == null && files.privateKey() != null) {
      throw Expect.failure(
          "redis.private-key-file", "a key without its certificate", "certificate-file, too");
    }
    if (!addresses.isEmpty() && uri.kind() == RedisUri.Kind.STANDALONE) {
      throw Expect.failure(
          "redis.addresses",
          "addresses that no server announces",
          "a URI that starts with redis-cluster or redis-sentinel");
    }
  }

  private static void requirePassword(String field, Credentials credentials, String expected) {
    if (credentials.user() != null && credentials.password() == null) {
      throw Expect.failure(field, "a user without a password", expected);
    }
  }

  /**
   * Returns what connections to this URI need.
   *
   * @param sslContext for TLS without files; null for that of the platform
   * @param warnings receives what is wrong with a file that was valid
   */
  Access connecting(RedisUri uri, @Nullable SSLContext sslContext, Consumer<String> warnings) {
    Login ofUri = new Login(uri.user(), uri.password(), uri.database());
    @Nullable Supplier<Login> login = servers.login(uri.database(), warnings);
    return new Access(
        uri.tls() ? sockets(sslContext, warnings) : null,
        checksHost,
        login == null ? () -> ofUri : login,
        sentinels.login(0, warnings),
        addresses);
  }

  private Supplier<SSLSocketFactory> sockets(
      @Nullable SSLContext sslContext, Consumer<String> warnings) {
    if (hasTlsFiles()) {
      return new LastValid<>(new RotatingCertificates(files), warnings);
    }
    SSLSocketFactory unchanged =
        sslContext == null
            ? (SSLSocketFactory) SSLSocketFactory.getDefault()
            : sslContext.getSocketFactory();
    return () -> unchanged;
  }

  // ---------------------------------------------------------------- value

  /** Returns whether both have the same credentials, files and addresses. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RedisAccess that && all().equals(that.all());
  }

  @Override
  public int hashCode() {
    return all().hashCode();
  }

  private List<Object> all() {
    return List.of(servers, sentinels, files, checksHost, addresses);
  }

  /** Returns what it has, without credentials. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    if (!servers.isNone()) {
      parts.add("own credentials");
    }
    if (!sentinels.isNone()) {
      parts.add("credentials of sentinels");
    }
    add("authorities", files.authorities(), parts);
    add("client certificate", files.certificate(), parts);
    if (!checksHost) {
      parts.add("any host in a certificate");
    }
    if (!addresses.isEmpty()) {
      parts.add(addresses.size() + " mapped addresses");
    }
    return String.join(", ", parts);
  }

  private static void add(String what, @Nullable SmallFile file, List<String> parts) {
    if (file != null) {
      parts.add(what + " in " + Redaction.plain(file.path().toString()));
    }
  }
}
