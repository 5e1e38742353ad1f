package dev.weir.containers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Requests that are under way at once, each on a connection of its own. One thread sends them all
 * before it reads the first answer. They come from {@link #GROUPS} groups, by the field X-Group.
 */
final class Crowd implements AutoCloseable {

  static final int GROUPS = 20;

  private static final int CONNECT_MILLIS = 10_000;
  private static final int STATUS_BEGIN = "HTTP/1.1 ".length();
  private static final int STATUS_END = STATUS_BEGIN + 3;

  private final List<Socket> connections = new ArrayList<>();

  private Crowd() {}

  static Crowd send(URI target, int requests) throws IOException {
    InetSocketAddress address = new InetSocketAddress(target.getHost(), target.getPort());
    Crowd crowd = new Crowd();
    try {
      for (int i = 0; i < requests; i++) {
        Socket connection = new Socket();
        crowd.connections.add(connection);
        connection.connect(address, CONNECT_MILLIS);
        connection.getOutputStream().write(request(target, i % GROUPS));
      }
      return crowd;
    } catch (IOException e) {
      crowd.close();
      throw e;
    }
  }

  private static byte[] request(URI target, int group) {
    return "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nX-Group: %d\r\n\r\n"
        .formatted(target.getPath(), target.getAuthority(), group)
        .getBytes(US_ASCII);
  }

  /** How many were answered with each status; with 0, those that were not in this time. */
  Map<Integer, Integer> answers(Duration longest) throws IOException {
    long endNanos = System.nanoTime() + longest.toNanos();
    Map<Integer, Integer> answers = new TreeMap<>();
    for (Socket connection : connections) {
      long leftMillis = Duration.ofNanos(endNanos - System.nanoTime()).toMillis();
      connection.setSoTimeout((int) Math.max(1, leftMillis));
      answers.merge(status(connection), 1, Integer::sum);
    }
    return answers;
  }

  private static int status(Socket connection) throws IOException {
    try {
      String line = new String(connection.getInputStream().readNBytes(STATUS_END), US_ASCII);
      return line.length() < STATUS_END ? 0 : Integer.parseInt(line.substring(STATUS_BEGIN));
    } catch (SocketTimeoutException late) {
      return 0;
    }
  }

  @Override
  public void close() throws IOException {
    for (Socket connection : connections) {
      connection.close();
    }
  }
}
