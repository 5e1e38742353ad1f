package dev.weir.servlet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Passes on what comes to a port to a Unix socket, so that an ordinary client can reach it. */
record UnixRelay(ServerSocketChannel server, Path target) implements AutoCloseable {

  static UnixRelay to(Path target) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    UnixRelay relay = new UnixRelay(server, target);
    start(relay::accept);
    return relay;
  }

  URI base() {
    int port = server.socket().getLocalPort();
    return URI.create("http://127.0.0.1:" + port + Container.CONTEXT_PATH);
  }

  private void accept() throws IOException {
    while (true) {
      SocketChannel client = server.accept();
      SocketChannel container = SocketChannel.open(UnixDomainSocketAddress.of(target));
      start(() -> pass(client, container));
      start(() -> pass(container, client));
    }
  }

  private static void pass(SocketChannel from, SocketChannel to) throws IOException {
    try (from;
        to) {
      ByteBuffer octets = ByteBuffer.allocate(16 << 10);
      while (from.read(octets) >= 0) {
        octets.flip();
        while (octets.hasRemaining()) {
          to.write(octets);
        }
        octets.clear();
      }
    }
  }

  /** What a thread does until one of its channels is closed. */
  private interface Loop {
    void run() throws IOException;
  }

  private static void start(Loop loop) {
    Thread thread =
        new Thread(
            () -> {
              try {
                loop.run();
              } catch (IOException closed) {
                // by either side
              }
            },
            "unix-relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
