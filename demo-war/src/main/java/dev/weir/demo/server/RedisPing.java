package dev.weir.demo.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A check whether a Redis on the loopback interface answers. */
final class RedisPing {

  private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final String PONG = "+PONG";
  private static final int TIMEOUT_MILLIS = 500;
  private static final long PAUSE_MILLIS = 20;

  private RedisPing() {}

  /** Pings until an answer; returns false when the process ends or the time is over. */
  static boolean replies(int port, Process redis, long patienceNanos) {
    long start = System.nanoTime();
    while (System.nanoTime() - start < patienceNanos) {
      if (replies(port)) {
        return true;
      }
      if (hasEnded(redis)) {
        return false;
      }
    }
    return false;
  }

  private static boolean replies(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(PING);
      InputStream in = socket.getInputStream();
      return PONG.equals(new String(in.readNBytes(PONG.length()), StandardCharsets.US_ASCII));
    } catch (IOException e) {
      return false;
    }
  }

  /** Waits briefly and returns whether the process has ended. */
  private static boolean hasEnded(Process redis) {
    try {
      return redis.waitFor(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }
}
