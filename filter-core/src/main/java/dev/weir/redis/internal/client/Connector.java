package dev.weir.redis.internal.client;

import dev.weir.redis.internal.client.RedisConnection.Login;
import dev.weir.redis.internal.script.Script;
import dev.weir.store.Deadline;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A factory of connections by the {@link Access} to the servers. The connect, the TLS handshake and
 * the login end by a deadline. A name lookup and a file may take longer, so no thread that serves a
 * request opens a connection.
 */
public final class Connector {

  /** The scripts that most requests need. */
  public static final List<Script> PRELOADED =
      List.of(Script.DECIDE_ONE, Script.DECIDE_ALL, Script.BATCH, Script.ADJUST_ONE);

  private static final CommandArguments PING = new CommandArguments(Command.PING);
  private static final CommandArguments IDENTIFY = new CommandArguments(Command.INFO).add("server");
  private static final CommandArguments MEMORY = new CommandArguments(Command.INFO).add("memory");
  private static final List<CommandArguments> INTRODUCTION =
      Stream.concat(
              Stream.of(IDENTIFY, MEMORY),
              PRELOADED.stream()
                  .map(
                      script ->
                          new CommandArguments(Command.SCRIPT).add("LOAD").add(script.text())))
          .toList();

  private static final String TLS_EXPECTED =
      " (expected: a URI that starts with rediss if this port requires TLS)";
  private static final String CERTIFICATE_EXPECTED =
      " (expected: a client certificate if the server requires one, by certificate-file under redis,"
          + " or by javax.net.ssl.keyStore or an SSLContext if redis names no files)";
  private static final String NO_TLS_EXPECTED =
      " (expected: a URI that starts with redis, without s, if this port has no TLS)";

  private static final List<String> LOGIN_REFUSED = List.of("NOAUTH", "WRONGPASS", "ERR AUTH");
  private static final String SENTINEL_LOGIN_EXPECTED =
      " (expected: what the sentinels know, in sentinel-user and sentinel-password under redis)";

  /** What the JDK says of a first byte that no TLS server sends. */
  private static final String NOT_TLS = "Unsupported or unrecognized SSL message";

  /** The most connections that end on INFO or SCRIPT before one goes without. */
  private static final int MOST_ENDS = 2;

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** The first handshake of a process may take it a second, since it loads the code for TLS. */
  private static final Duration SHORTEST_OVER_TLS = Duration.ofSeconds(3);

  private final Access access;
  private final CommandArguments naming;
  private final SocketTimer timer;
  private final Duration patience;
  private final Reports reports;
  private final ServerAdvice advice;
  private final Sharding sharding;

  /** Whether any server has replied, so that TLS is not the reason of a failure. */
  private volatile boolean hasReplied;

  /**
   * @param name of connections that stay, by which an operator finds them in {@code CLIENT LIST}:
   *     printable ASCII without spaces
   * @param deadline of requests; a server without a waiting request has at least a second, and
   *     three over TLS
   * @param sharding is tried on each connection
   */
  public Connector(
      Access access,
      String name,
      SocketTimer timer,
      Duration deadline,
      Reports reports,
      Sharding sharding) {
    this.access = access;
    this.naming = new CommandArguments(Command.CLIENT).add("SETNAME").add(name);
    this.timer = timer;
    this.reports = reports;
    this.advice = new ServerAdvice(reports);
    this.sharding = sharding;
    Duration shortest = shortestPatience(access.tls() != null);
    patience = deadline.compareTo(shortest) > 0 ? deadline : shortest;
  }

  /** Returns the time for a connection when no request waits for it, whatever the deadline. */
  public static Duration shortestPatience(boolean tls) {
    return tls ? SHORTEST_OVER_TLS : SHORTEST;
  }

  Sharding sharding() {
    return sharding;
  }

  /** Returns the time for a reply when no request waits for it. */
  Duration patienceTime() {
    return patience;
  }

  /** Returns the deadline of a reply when no request waits for it. */
  public Deadline patience() {
    return Deadline.after(patience);
  }

  /** Returns the deadline of a query by another thread: a query that times out says why before. */
  public Deadline patienceWithQuery() {
    return Deadline.after(patience.plus(patience.dividedBy(4)));
  }

  // ---------------------------------------------------------------- connections

  /** Opens a connection to a server with counters. */
  public RedisConnection open(Host host) {
    return open(host, access.login());
  }

  /**
   * Opens the first connection after a start or an outage. Makes a first call, queries which server
   * it is and whether it evicts keys, loads the {@link #PRELOADED} scripts, and names the
   * connection, all at once, whatever its distance. Otherwise the first call of each script is sent
   * twice. If a server refuses the load, that is the only cost: an unknown script is sent in full.
   * If it refuses the name, nothing needs it.
   *
   * <p>A {@link #ping} goes ahead, with this time for the reply. Redis drops a client without a
   * password that sends more than ten words or 16 kB, and then its reason would be lost.
   *
   * <p>A proxy may close the connection on INFO, SCRIPT or CLIENT. The second attempt leaves out
   * CLIENT. After two connections that ended so, this one goes without any of them. The next one
   * tries them again: a Redis that restarts looks alike.
   */
  RedisConnection openFirst(Host host, Duration answer, Consumer<RedisConnection> call) {
    return reported(
        host,
        () ->
            openedFirst(
                host,
                server -> {
                  ping(server, Deadline.after(answer));
                  call.accept(server);
                }));
  }

  private RedisConnection openedFirst(Host host, Consumer<RedisConnection> first) {
    @Nullable JedisConnectionException ended = null;
    for (int i = 0; i < MOST_ENDS; i++) {
      RedisConnection connection = openAndCall(host, first);
      Deadline due = patience();
      List<CommandArguments> introduction =
          i == 0 ? Stream.concat(INTRODUCTION.stream(), Stream.of(naming)).toList() : INTRODUCTION;
      try {
        return connection.after(server -> introduce(server, host, introduction, due));
      } catch (JedisConnectionException e) {
        if (due.hasPassed()) {
          throw e;
        }
        ended = e;
      }
    }
    RedisConnection plain =
        openAndCall(host, first).after(server -> introduce(server, host, List.of(), patience()));
    reports.missingRight(
        "INFO or SCRIPT LOAD by closing the connection",
        "they are left out, and all calls share one connection. Proxies do so, as twemproxy",
        Objects.requireNonNull(ended));
    return plain;
  }

  private RedisConnection openAndCall(Host host, Consumer<RedisConnection> first) {
    RedisConnection connection = open(host).after(first);
    hasReplied = true;
    return connection;
  }

  /** Waits for a first reply. The server need not permit {@code PING}, but it must know us. */
  static void ping(RedisConnection connection, Deadline due) {
    requireReply(connection.callAll(List.of(PING), due).get(0));
  }

  /**
   * Opens a further connection, and waits for a first reply. A paused server accepts connections
   * too, and a server with too many connections says so only in its reply.
   */
  RedisConnection openFurther(Host host) {
    return reported(
        host,
        () -> {
          RedisConnection connection = open(host);
          Deadline due = patience();
          try {
            return connection.after(
                server -> introduce(server, host, List.of(PING, IDENTIFY, naming), due));
          } catch (JedisConnectionException e) {
            if (due.hasPassed()) {
              throw e;
            }
            return openedFirst(host, server -> ping(server, patience()));
          }
        });
  }

  /** Sends these commands, and with them what finds out whether keys are on several servers. */
  private void introduce(
      RedisConnection server, Host host, List<CommandArguments> commands, Deadline due) {
    List<CommandArguments> chain = sharding.chain();
    List<@Nullable Object> replies =
        server.callAll(Stream.concat(commands.stream(), chain.stream()).toList(), due);
    for (int i = 0; i < commands.size(); i++) {
      if (commands.get(i) == PING) {
        requireReply(replies.get(i));
      } else if (commands.get(i) == IDENTIFY) {
        server.identify(replies.get(i));
      } else if (commands.get(i) == MEMORY) {
        advice.ofMemory(host, replies.get(i));
      }
    }
    if (Sharding.isBroken(replies.subList(commands.size(), replies.size()))) {
      Sharding.Trial trial = sharding.trial();
      List<@Nullable Object> unused = server.callAll(trial.writes(), patience());
      List<@Nullable Object> alone = server.callAll(trial.alone(), patience());
      List<@Nullable Object> byFirst = server.callAll(trial.byFirst(), patience());
      sharding.found(Sharding.Trial.scope(alone, byFirst), host);
    }
  }

  private static void requireReply(@Nullable Object reply) {
    if (reply instanceof JedisDataException error
        && (ErrorKind.of(error) != ErrorKind.SETUP
            || String.valueOf(error.getMessage()).startsWith("NOAUTH"))) {
      throw error;
    }
  }

  /** Queries a server with counters, on a connection for this query alone. */
  public <T> T with(Host host, Function<RedisConnection, T> question) {
    return with(host, access.login(), question);
  }

  /**
   * Queries a sentinel, by its own credentials. Without those, it is queried without any, unless it
   * requires them.
   */
  public <T> T withSentinel(Host host, Function<RedisConnection, T> question) {
    @Nullable Supplier<Login> own = access.sentinelLogin();
    if (own == null) {
      try {
        return with(host, () -> Login.NONE, question);
      } catch (JedisDataException e) {
        if (ErrorKind.of(e) != ErrorKind.SETUP) {
          throw e;
        }
      }
    }
    Supplier<Login> login = own == null ? access.login() : own;
    try {
      return with(host, () -> login.get().withoutDatabase(), question); // a sentinel has none
    } catch (JedisDataException e) {
      String reply = String.valueOf(e.getMessage());
      boolean isLogin = LOGIN_REFUSED.stream().anyMatch(reply::startsWith);
      String cure = isLogin ? SENTINEL_LOGIN_EXPECTED : "";
      throw new JedisDataException(reply + ", replied by sentinel " + host + cure, e);
    }
  }

  private <T> T with(Host host, Supplier<Login> login, Function<RedisConnection, T> question) {
    return reported(
        host,
        () -> {
          RedisConnection connection = open(host, login);
          try {
            T reply = question.apply(connection);
            hasReplied = true;
            return reply;
          } finally {
            connection.close();
          }
        });
  }

  /** Connects. An exception that no server causes is reported, and is a failure of the server. */
  private <T> T reported(Host host, Supplier<T> connecting) {
    try {
      return connecting.get();
    } catch (JedisException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      reports.notConnected(host.toString(), e);
      throw new JedisConnectionException(host + ": " + e, e);
    }
  }

  // ---------------------------------------------------------------- sockets

  private RedisConnection open(Host announced, Supplier<Login> login) {
    Deadline due = patience();
    Host host = access.reached(announced);
    try {
      return dial(host, due).after(connection -> connection.logIn(login.get(), host, due));
    } catch (SSLException e) {
      throw new JedisConnectionException(host + ": " + e, e);
    } catch (IOException e) {
      throw due.hasPassed() || e instanceof SocketTimeoutException
          ? new TimedOutException("not connected in time to " + host, e)
          : new JedisConnectionException(host + ": " + e, e);
    }
  }

  /** Opens a socket to one of the host's addresses. The wait for the deadline continues on it. */
  private RedisConnection dial(Host host, Deadline due) throws IOException {
    @Nullable Supplier<SSLSocketFactory> sockets = access.tls();
    @Nullable SSLSocketFactory tls = sockets == null ? null : sockets.get();
    IOException failure = new IOException("no address");
    InetAddress[] addresses = InetAddress.getAllByName(host.name());
    for (int i = 0; i < addresses.length; i++) {
      if (tls == null) {
        advice.ofPlainText(host, addresses[i]);
      }
      InetSocketAddress address = new InetSocketAddress(addresses[i], host.port());
      // an unresponsive address leaves a share of the time to the next ones
      long leftMillis =
          TimeUnit.NANOSECONDS.toMillis(due.remainingNanos()) / (addresses.length - i);
      Socket raw = new Socket();
      TimedSocket timed = new TimedSocket(raw, timer);
      timed.begin(due);
      try {
        raw.setTcpNoDelay(true);
        raw.setKeepAlive(true);
        raw.setSoLinger(true, 0); // a close drops what is unsent: nothing of ours may run later
        raw.connect(address, Math.max(1, (int) leftMillis));
        return tls == null
            ? new RedisConnection(raw, timed, hasReplied ? "" : TLS_EXPECTED)
            : new RedisConnection(
                secured(raw, tls, host, due), timed, hasReplied ? "" : CERTIFICATE_EXPECTED);
      } catch (IOException e) {
        timed.closeNow();
        failure = e;
      } catch (RuntimeException | Error e) {
        timed.closeNow();
        throw e;
      }
    }
    throw failure;
  }

  private Socket secured(Socket raw, SSLSocketFactory factory, Host host, Deadline due)
      throws IOException {
    SSLSocket socket = (SSLSocket) factory.createSocket(raw, host.name(), host.port(), true);
    if (access.checksHost()) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
    }
    try {
      socket.startHandshake();
      return socket;
    } catch (IOException e) {
      if (hasReplied) {
        throw e;
      }
      // the failure of a first handshake names what may be wrong
      if (due.hasPassed() || String.valueOf(e.getMessage()).contains(NOT_TLS)) {
        throw new SSLException("no reply to the TLS handshake" + NO_TLS_EXPECTED, e);
      }
      boolean isClosed = !(e instanceof SSLException) || e.getCause() instanceof EOFException;
      throw isClosed
          ? new SSLException("lost in the TLS handshake: " + e + CERTIFICATE_EXPECTED, e)
          : e;
    }
  }
}
