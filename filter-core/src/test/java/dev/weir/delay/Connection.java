package dev.weir.delay;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/**
 * A client's connection and the one that was opened for it, closed when both streams have ended or
 * one is broken.
 *
 * <p>Written to by one thread.
 */
final class Connection {

  private final List<Way> ways;
  private int ended;

  Connection(SocketChannel client, SocketChannel redis) throws IOException {
    ways = List.of(new Way(client, redis), new Way(redis, client));
    for (Way way : ways) {
      way.from().configureBlocking(false);
      way.from().setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
  }

  List<Way> ways() {
    return ways;
  }

  void close() {
    for (Way way : ways) {
      try {
        way.from().close();
      } catch (IOException gone) {
        // it is closed
      }
    }
  }

  /** One direction. */
  final class Way {

    private final SocketChannel from;
    private final SocketChannel to;
    private final Queue<ByteBuffer> backlog = new ArrayDeque<>();

    private Way(SocketChannel from, SocketChannel to) {
      this.from = from;
      this.to = to;
    }

    SocketChannel from() {
      return from;
    }

    /**
     * Writes these bytes, or ends the stream where there are none. What its receiver has no room
     * for stays behind.
     *
     * @return whether nothing did
     */
    boolean pass(ByteBuffer bytes) {
      backlog.add(bytes);
      return flush();
    }

    /** Writes what stayed behind, as much as there is room for. */
    boolean flush() {
      try {
        while (!backlog.isEmpty() && isWritten(backlog.element())) {
          backlog.remove();
        }
        return backlog.isEmpty();
      } catch (IOException broken) {
        backlog.clear();
        close();
        return true;
      }
    }

    private boolean isWritten(ByteBuffer bytes) throws IOException {
      if (bytes.capacity() == 0) {
        end();
        return true;
      }
      to.write(bytes);
      return !bytes.hasRemaining();
    }

    private void end() throws IOException {
      ended++;
      if (ended == ways.size()) {
        close();
      } else {
        to.shutdownOutput();
      }
    }
  }
}
