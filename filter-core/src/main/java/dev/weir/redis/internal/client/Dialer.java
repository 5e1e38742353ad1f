package dev.weir.redis.internal.client;

import dev.weir.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * A factory of sockets. The connect and the TLS handshake end by the deadline. A name lookup may
 * take longer, so no thread that serves a request dials.
 */
public record Dialer(@Nullable SSLSocketFactory tls, SocketTimer timer) {

  /**
   * An open socket.
   *
   * @param socket to read and write
   * @param timed the raw socket under it, on which the wait for the deadline continues
   */
  record Dialled(Socket socket, TimedSocket timed) {}

  /**
   * @throws IOException when no address of the host could be connected to in time
   */
  Dialled dial(Host host, Deadline due) throws IOException {
    IOException failure = new IOException("no address");
    InetAddress[] addresses = InetAddress.getAllByName(host.name());
    for (int i = 0; i < addresses.length; i++) {
      InetSocketAddress address = new InetSocketAddress(addresses[i], host.port());
      // an unresponsive address leaves a share of the time to the next ones
      long leftMillis =
          TimeUnit.NANOSECONDS.toMillis(due.remainingNanos()) / (addresses.length - i);
      Socket raw = new Socket();
      TimedSocket timed = new TimedSocket(raw, timer);
      timed.begin(due);
      try {
        return new Dialled(connected(raw, address, Math.max(1, (int) leftMillis), host), timed);
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

  private Socket connected(Socket raw, InetSocketAddress address, int millis, Host host)
      throws IOException {
    raw.setTcpNoDelay(true);
    raw.setKeepAlive(true);
    raw.setSoLinger(true, 0);
    raw.connect(address, millis);
    return tls == null ? raw : secured(raw, tls, host);
  }

  private static Socket secured(Socket raw, SSLSocketFactory factory, Host host)
      throws IOException {
    SSLSocket socket = (SSLSocket) factory.createSocket(raw, host.name(), host.port(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }
}
