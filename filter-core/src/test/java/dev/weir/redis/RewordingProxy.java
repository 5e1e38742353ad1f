package dev.weir.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A TCP proxy that replaces words in the replies of a Redis, by others of the same length. */
final class RewordingProxy implements AutoCloseable {

  private final ServerSocket server;
  private final int target;
  private final String words;
  private final String others;

  RewordingProxy(int target, String words, String others) {
    this.target = target;
    this.words = words;
    this.others = String.format("%-" + words.length() + "s", others);
    try {
      server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Socket redis = new Socket(InetAddress.getLoopbackAddress(), target);
        start(() -> copy(client, redis, false));
        start(() -> copy(redis, client, true));
      } catch (IOException closed) {
        // the normal end
      }
    }
  }

  /** Copies what is read at once. An error is a line, which Redis writes at once. */
  private void copy(Socket from, Socket to, boolean isReworded) {
    byte[] buffer = new byte[65_536];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
        String passed = isReworded ? text.replace(words, others) : text;
        out.write(passed.getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IOException closed) {
      // the normal end
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "rewording-proxy");
    thread.setDaemon(true);
    thread.start();
  }
}
