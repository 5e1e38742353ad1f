package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.redis.RedisUri.Host;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Opens the socket of one connection, once, under the watchdog: the connect, the TLS handshake and
 * what Jedis says first all end by the deadline. Looking up a name may take longer, so nobody who
 * serves a request dials.
 *
 * <p>Once, because Jedis would dial again in silence when it finds its socket closed.
 */
final class Dialer implements JedisSocketFactory {

  private final Host host;
  private final @Nullable SSLSocketFactory tls;
  private final Watchdog watchdog;
  private final Deadline deadline;
  private @Nullable Watched watched;

  Dialer(Host host, @Nullable SSLSocketFactory tls, Watchdog watchdog, Deadline deadline) {
    this.host = host;
    this.tls = tls;
    this.watchdog = watchdog;
    this.deadline = deadline;
  }

  @Override
  public Socket createSocket() {
    if (watched != null) {
      throw new JedisConnectionException("connection to " + host + " was cut");
    }
    try {
      Socket raw = connected();
      return tls == null ? raw : secured(raw, tls);
    } catch (IOException e) {
      abandon();
      throw new JedisConnectionException(host + ": " + e, e);
    }
  }

  /** What was dialled, if anything was. */
  @Nullable Watched watched() {
    return watched;
  }

  /** Closes what was dialled. */
  void abandon() {
    if (watched != null) {
      watched.cut();
      watchdog.forget(watched);
    }
  }

  private Socket connected() throws IOException {
    IOException failure = new IOException("no address");
    InetAddress[] addresses = InetAddress.getAllByName(host.name());
    for (int i = 0; i < addresses.length; i++) {
      try {
        return connected(new InetSocketAddress(addresses[i], host.port()), addresses.length - i);
      } catch (IOException e) {
        abandon();
        failure = e;
      }
    }
    throw failure;
  }

  /** One that does not answer leaves their share of the time to the addresses after it. */
  private Socket connected(InetSocketAddress address, int addressesLeft) throws IOException {
    Socket socket = new Socket();
    Watched current = new Watched(socket);
    watched = current;
    watchdog.add(current);
    current.begin(deadline);
    watchdog.wake();
    socket.setTcpNoDelay(true);
    socket.setKeepAlive(true);
    socket.setSoLinger(true, 0);
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos());
    socket.connect(address, (int) Math.max(1, leftMillis / addressesLeft));
    return socket;
  }

  private Socket secured(Socket raw, SSLSocketFactory factory) throws IOException {
    SSLSocket socket = (SSLSocket) factory.createSocket(raw, host.name(), host.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  @Override
  public String toString() {
    return host.toString();
  }
}
