package dev.weir.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** A TCP proxy that can pass replies on late, one byte at a time, or not at all. */
final class DripProxy implements AutoCloseable {

  private final ServerSocket server;
  private volatile int target;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile long nanosPerByte;
  private volatile long nanosPerReply;
  private volatile long nanosPerKilobyte;

  /** The number of connections, oldest first, that are read from. */
  private volatile int received = Integer.MAX_VALUE;

  DripProxy(int target) throws IOException {
    this.target = target;
    this.server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Leads later connections to another server. */
  void leadTo(int port) {
    target = port;
  }

  /** Delays every byte of a reply by so long; 0 passes them on at once. */
  void drip(long millisPerByte) {
    nanosPerByte = millisPerByte * 1_000_000L;
  }

  /** Delays every reply by so long. */
  void delay(long millisPerReply) {
    nanosPerReply = millisPerReply * 1_000_000L;
  }

  /** Passes on what clients write at this rate; 0 passes it on at once. */
  void throttle(long millisPerKilobyte) {
    nanosPerKilobyte = millisPerKilobyte * 1_000_000L;
  }

  /** Stops reading from clients: their buffers fill, and their writes block. */
  void deafen(boolean deaf) {
    received = deaf ? 0 : Integer.MAX_VALUE;
  }

  /** Does the same on all connections but the oldest. */
  void deafenButForFirst() {
    received = 1;
  }

  /** Ends all existing connections. */
  void cut() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  int connections() {
    return sockets.size() / 2;
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  private void accept() {
    try {
      while (!server.isClosed()) {
        Socket client = server.accept();
        Socket redis = new Socket(InetAddress.getLoopbackAddress(), target);
        int older = connections();
        sockets.add(client);
        sockets.add(redis);
        start(() -> pass(client, redis, older, false));
        start(() -> pass(redis, client, older, true));
      }
    } catch (IOException closed) {
      // the normal end
    }
  }

  private void pass(Socket from, Socket to, int older, boolean dripping) {
    byte[] buffer = new byte[4_096];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      while (true) {
        awaitHearing(older, dripping);
        int length = in.read(buffer);
        if (length < 0) {
          return;
        }
        awaitHearing(older, dripping);
        write(buffer, length, out, dripping);
      }
    } catch (IOException closed) {
      // the normal end
    }
  }

  private void awaitHearing(int older, boolean dripping) {
    while (older >= received && !dripping && !server.isClosed()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void write(byte[] bytes, int length, OutputStream out, boolean dripping)
      throws IOException {
    pass(dripping ? nanosPerReply : nanosPerKilobyte * length / 1_024);
    if (!dripping || nanosPerByte == 0) {
      out.write(bytes, 0, length);
      return;
    }
    for (int i = 0; i < length; i++) {
      pass(nanosPerByte);
      out.write(bytes[i]);
    }
  }

  private static void pass(long nanos) {
    long untilNanos = System.nanoTime() + nanos;
    while (System.nanoTime() < untilNanos) {
      LockSupport.parkNanos(untilNanos - System.nanoTime());
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "drip-proxy");
    thread.setDaemon(true);
    thread.start();
  }
}
