package dev.weir.redis;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy in front of a Redis that reads the traffic request by request and calls {@link
 * Cutter} for each.
 */
final class CuttingProxy implements AutoCloseable {

  private final ServerSocket server;
  private final int target;
  private final Cutter cutter;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  CuttingProxy(int target, Cutter cutter) {
    this.target = target;
    this.cutter = cutter;
    try {
      this.server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new IllegalStateException("no port", e);
    }
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  @Override
  public void close() {
    close(server);
    sockets.forEach(CuttingProxy::close);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        Socket redis = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(client);
        sockets.add(redis);
        Passage passage = new Passage(client, redis);
        start(passage::requests);
        start(passage::replies);
      } catch (IOException refused) {
        // the server is closed, or Redis has not begun
      }
    }
  }

  /** One connection, in both directions. */
  private final class Passage {
    private final Socket client;
    private final Socket redis;
    private volatile boolean swallowing;

    Passage(Socket client, Socket redis) {
      this.client = client;
      this.redis = redis;
    }

    void requests() {
      try (client;
          redis) {
        InputStream in = new BufferedInputStream(client.getInputStream());
        OutputStream out = redis.getOutputStream();
        for (byte[] request = Requests.read(in); request != null; request = Requests.read(in)) {
          @Nullable Cut cut = cutter.cutAt(new String(request, StandardCharsets.ISO_8859_1));
          swallowing = cut != null;
          if (cut == null || cut.where() == Cut.Where.BEFORE_THE_REPLY_IS_READ) {
            out.write(request);
          }
          if (cut != null && cut.where() == Cut.Where.BEFORE_REDIS_HAS_IT) {
            return;
          }
        }
      } catch (IOException closed) {
        // the normal end
      }
    }

    void replies() {
      byte[] buffer = new byte[8_192];
      try (client;
          redis) {
        InputStream in = redis.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          if (swallowing) {
            return;
          }
          out.write(buffer, 0, length);
        }
      } catch (IOException closed) {
        // the normal end
      }
    }
  }

  private static void close(AutoCloseable open) {
    try {
      open.close();
    } catch (Exception gone) {
      // it is closed
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
  }
}
