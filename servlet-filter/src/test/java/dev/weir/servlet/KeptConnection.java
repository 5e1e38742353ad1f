package dev.weir.servlet;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.Locale;

/**
 * One connection that asks the same thing again and again. It costs a write and a read: of what a
 * client takes longer for, on the two processors that it shares with the server, the server would
 * be accused.
 */
final class KeptConnection implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;
  private final byte[] request;

  KeptConnection(URI target) throws IOException {
    socket = new Socket(InetAddress.getByName(target.getHost()), target.getPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
    request =
        "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n"
            .formatted(pathAndQuery(target), target.getRawAuthority())
            .getBytes(ISO_8859_1);
  }

  private static String pathAndQuery(URI target) {
    String query = target.getRawQuery();
    return query == null ? target.getRawPath() : target.getRawPath() + "?" + query;
  }

  /** Sends the request, and returns the status of the whole answer. */
  int call() throws IOException {
    send();
    return status();
  }

  void send() throws IOException {
    socket.getOutputStream().write(request);
  }

  /** Waits for the whole answer to what was sent. */
  int status() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    int length = 0;
    for (String field = line(); !field.isEmpty(); field = line()) {
      if (field.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(field.substring(field.indexOf(':') + 1).strip());
      }
    }
    in.skipNBytes(length);
    return status;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("after: " + line);
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
