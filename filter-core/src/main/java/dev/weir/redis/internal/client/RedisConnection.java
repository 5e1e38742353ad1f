package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.PushConsumerChain;
import redis.clients.jedis.PushConsumerChainImpl;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;
import redis.clients.jedis.util.RedisInputStream;
import redis.clients.jedis.util.RedisOutputStream;
import redis.clients.jedis.util.SafeEncoder;

/**
 * One connection to Redis, in RESP 2, which every server supports. Jedis encodes the commands and
 * decodes the replies.
 *
 * <p>One thread at a time may write, and one may read. A connection that has failed stays failed.
 */
public final class RedisConnection {

  /** No consumers: RESP 2 has no push messages. */
  private static final PushConsumerChain NO_PUSHES = PushConsumerChainImpl.of();

  /** A reply of each kind. */
  private static final List<String> REPLIES =
      List.of(
          "+OK\r\n",
          ":1\r\n",
          "$2\r\nOK\r\n",
          "*1\r\n:1\r\n",
          "-ERR refused\r\n",
          "-NOAUTH Authentication required.\r\n",
          "-NOPERM refused\r\n",
          "-BUSY later\r\n",
          "-NOSCRIPT unknown\r\n",
          "-CLUSTERDOWN later\r\n",
          "-MOVED 1 127.0.0.1:6379\r\n",
          "-ASK 1 127.0.0.1:6379\r\n");

  private final TimedSocket socket;
  private final RedisInputStream in;
  private final RedisOutputStream out;
  private final String expectation;
  private volatile boolean failed;
  private volatile boolean hasReplied;

  /** The server's own name of itself, which is new with each start; empty if it does not say. */
  private volatile String server = "";

  /**
   * @param connected to read and write
   * @param timed the raw socket under it, on which a wait has begun
   * @param expectation what a failure names that comes before the first reply
   */
  RedisConnection(Socket connected, TimedSocket timed, String expectation) throws IOException {
    socket = timed;
    this.expectation = expectation;
    in = new RedisInputStream(connected.getInputStream());
    out = new RedisOutputStream(connected.getOutputStream());
  }

  /**
   * Encodes a command, and decodes a reply of each kind. So all that a connection needs is linked
   * before there is one.
   *
   * @throws LinkageError when Jedis is there in another version
   */
  public static void link() {
    try {
      RedisOutputStream out = new RedisOutputStream(OutputStream.nullOutputStream());
      Protocol.sendCommand(
          out, new CommandArguments(Command.EVAL).add("return 1").add(1).key("{tag}key"));
      out.flush();
      for (String reply : REPLIES) {
        decode(new RedisInputStream(new ByteArrayInputStream(SafeEncoder.encode(reply))));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void decode(RedisInputStream in) {
    try {
      @Nullable Object unused = Protocol.read(in, NO_PUSHES);
    } catch (JedisRedirectionException elsewhere) {
      int unused = RedisKeys.slot(elsewhere.getTargetNode().getHost());
    } catch (JedisDataException expected) {
      // an error that Redis replies
    }
  }

  /** Logs in, and ends the wait for a connection to this host. */
  void logIn(Login login, Host host, Deadline due) {
    try {
      for (CommandArguments command : login.commands()) {
        write(List.of(command));
        if (read() instanceof JedisDataException refused) {
          throw refused;
        }
      }
    } catch (JedisConnectionException e) {
      throw due.hasPassed() ? new TimedOutException("not connected in time to " + host, e) : e;
    }
    if (!socket.end(due)) {
      throw new TimedOutException("not connected in time to " + host);
    }
  }

  /** Returns this connection after its first use. Closes it if that fails. */
  RedisConnection after(Consumer<RedisConnection> use) {
    try {
      use.accept(this);
      return this;
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * Writes commands, all at once.
   *
   * @throws JedisException when the connection has failed
   * @throws RuntimeException when they cannot be encoded: the bytes written so far are no command
   */
  void write(List<CommandArguments> commands) {
    try {
      for (CommandArguments command : commands) {
        Protocol.sendCommand(out, command);
      }
      out.flush();
    } catch (IOException e) {
      throw failed(new JedisConnectionException(e.toString(), e));
    } catch (RuntimeException | Error e) {
      failed = true;
      throw e;
    }
  }

  /**
   * Waits for the next reply, and returns it. It may be an error that Redis replies.
   *
   * @throws JedisException when the connection has failed
   */
  @Nullable Object read() {
    try {
      @Nullable Object reply = Protocol.read(in, NO_PUSHES);
      hasReplied = true;
      return reply;
    } catch (JedisDataException replied) {
      hasReplied = true;
      return replied;
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      throw failed(failure(e));
    }
  }

  /**
   * Sends a command, and waits for its reply until the deadline.
   *
   * @throws JedisException when Redis replies an error or nothing, or when the connection fails or
   *     is closed
   */
  public Object call(CommandArguments command, Deadline due) {
    @Nullable Object reply = callAll(List.of(command), due).get(0);
    if (reply instanceof JedisDataException error) {
      throw error;
    }
    if (reply == null) {
      throw new JedisDataException("replied nothing");
    }
    return reply;
  }

  /** Calls a script by its digest, or in full if the server does not know it. */
  List<Long> call(ScriptCall call, Duration deadline) {
    Object reply;
    try {
      reply = call(call.byDigest(), Deadline.after(deadline));
    } catch (JedisNoScriptException unknown) {
      reply = call(call.inFull(), Deadline.after(deadline));
    }
    return call.read(reply);
  }

  /**
   * Sends commands, and waits for all replies until the deadline.
   *
   * @return a reply for each, or the error that Redis replies
   * @throws JedisException when the connection fails or is closed
   */
  public List<@Nullable Object> callAll(List<CommandArguments> commands, Deadline due) {
    if (!socket.begin(due)) {
      throw new JedisConnectionException("the connection was closed");
    }
    List<@Nullable Object> replies = new ArrayList<>(commands.size());
    boolean isOpen = false;
    try {
      write(commands);
      for (int i = 0; i < commands.size(); i++) {
        replies.add(read());
      }
    } catch (JedisConnectionException e) {
      throw due.hasPassed() ? new TimedOutException("no answer by the deadline", e) : e;
    } finally {
      isOpen = socket.end(due);
      failed |= !isOpen;
    }
    if (!isOpen) { // the timer has closed it, though all replies were read
      throw new TimedOutException("no answer by the deadline");
    }
    return replies;
  }

  private JedisException failed(JedisException why) {
    failed = true;
    return hasReplied || expectation.isEmpty()
        ? why
        : new JedisConnectionException(
            "lost before its first reply: " + why.getMessage() + expectation, why);
  }

  /**
   * Returns a failure. A reply that cannot be decoded breaks the decoder. Examples are a negative
   * length, 2 GiB, and endless nesting. Later bytes on the connection cannot be separated from it.
   */
  static JedisException failure(Throwable e) {
    return e instanceof JedisException redis
        ? redis
        : new JedisConnectionException("a malformed reply: " + e, e);
  }

  /** Records the server's reply to {@code INFO server}, which it need not permit. */
  void identify(@Nullable Object info) {
    if (info instanceof byte[] text) {
      server =
          SafeEncoder.encode(text)
              .lines()
              .filter(line -> line.startsWith("run_id:"))
              .findFirst()
              .orElse("");
    }
  }

  String server() {
    return server;
  }

  public boolean isUsable() {
    return !failed;
  }

  boolean hasUnread() {
    return socket.hasUnread();
  }

  /** Closes the socket without a QUIT, because a write could block. */
  public void close() {
    failed = true;
    socket.closeNow();
  }

  /**
   * The login of a connection.
   *
   * @param user empty if the server requires only a password
   */
  public record Login(@Nullable String user, @Nullable String password, int database) {

    public static final Login NONE = new Login(null, null, 0);

    Login withoutDatabase() {
      return new Login(user, password, 0);
    }

    private List<CommandArguments> commands() {
      List<CommandArguments> commands = new ArrayList<>();
      if (password != null) {
        CommandArguments auth = new CommandArguments(Command.AUTH);
        commands.add(user == null ? auth.add(password) : auth.add(user).add(password));
      }
      if (database != 0) {
        commands.add(new CommandArguments(Command.SELECT).add(database));
      }
      return commands;
    }

    /** Returns the login without user and password. */
    @Override
    public String toString() {
      return "Login[database=" + database + "]";
    }
  }
}
