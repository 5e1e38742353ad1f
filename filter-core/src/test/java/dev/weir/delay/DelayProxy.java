package dev.weir.delay;

import dev.weir.delay.Connection.Way;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on a free port that passes on all bytes, each a fixed time after it has come, in
 * either direction. The end of a stream is passed on in the same way.
 *
 * <p>Model. One thread reads whatever comes on any connection; what it has read is due after the
 * delay, so all connections together are one {@link DelayLine}. Another thread sleeps until the
 * next is due and writes it. Nothing is limited: what cannot be written at once, since its receiver
 * does not read, waits in memory and holds up no other connection. A connection is opened without
 * delay.
 */
final class DelayProxy implements AutoCloseable {

  private static final int MOST_READ = 1 << 18;
  private static final int MOST_CONNECTING = 1_000;

  /** A thread that sleeps wakes some microseconds late: for those it stays awake. */
  private static final long AWAKE_NANOS = 15_000;

  /** Until what could not be written is tried again. */
  private static final long STUCK_NANOS = 200_000;

  /** Bytes that are due together; none are the end of a stream. */
  private record Parcel(Way way, ByteBuffer bytes) {}

  private final InetSocketAddress target;
  private final DelayLine<Parcel> line;
  private final Selector selector;
  private final ServerSocketChannel server;
  private final ByteBuffer read = ByteBuffer.allocateDirect(MOST_READ);
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final Thread writer = daemon("delay-proxy-writer", this::writeAll);
  private volatile boolean isWriterIdle;
  private volatile boolean isClosed;

  private DelayProxy(InetSocketAddress target, long delayNanos) throws IOException {
    this.target = target;
    line = new DelayLine<>(delayNanos);
    selector = Selector.open();
    server = ServerSocketChannel.open();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), MOST_CONNECTING);
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
  }

  /** Before this server, with so long a delay each way. */
  static DelayProxy start(InetSocketAddress target, long delayNanos) throws IOException {
    DelayProxy proxy = new DelayProxy(target, delayNanos);
    proxy.writer.start();
    daemon("delay-proxy-reader", proxy::readAll).start();
    return proxy;
  }

  private static Thread daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  int port() {
    return server.socket().getLocalPort();
  }

  private void readAll() {
    try {
      while (!isClosed) {
        selector.select(this::read);
      }
    } catch (IOException | ClosedSelectorException closed) {
      // that is how it ends
    }
  }

  private void read(SelectionKey ready) {
    if (ready.attachment() instanceof Way way) {
      receive(way, ready);
    } else {
      accept();
    }
  }

  private void accept() {
    try {
      @Nullable SocketChannel client = server.accept();
      if (client != null) {
        connect(client);
      }
    } catch (IOException refused) {
      // the client finds its connection closed
    }
  }

  private void connect(SocketChannel client) throws IOException {
    SocketChannel redis;
    try {
      redis = SocketChannel.open(target);
    } catch (IOException refused) {
      client.close();
      throw refused;
    }
    Connection connection = new Connection(client, redis);
    connections.add(connection);
    for (Way way : connection.ways()) {
      way.from().register(selector, SelectionKey.OP_READ, way);
    }
  }

  private void receive(Way way, SelectionKey key) {
    read.clear();
    int length = read(way.from());
    if (length < 0) {
      key.cancel();
    }
    if (length != 0) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.max(0, length));
      put(new Parcel(way, bytes.put(read.flip()).flip()));
    }
  }

  /** A connection that is broken brings its end. */
  private int read(SocketChannel from) {
    try {
      return from.read(read);
    } catch (IOException broken) {
      return -1;
    }
  }

  private void put(Parcel parcel) {
    line.put(parcel, System.nanoTime());
    if (isWriterIdle) {
      LockSupport.unpark(writer);
    }
  }

  private void writeAll() {
    TimerSlack.least();
    Set<Way> stuck = new HashSet<>();
    while (!isClosed) {
      @Nullable Parcel due = line.take(System.nanoTime());
      if (due == null) {
        stuck.removeIf(Way::flush);
        rest(stuck.isEmpty() ? Long.MAX_VALUE : STUCK_NANOS);
      } else if (!due.way().pass(due.bytes())) {
        stuck.add(due.way());
      }
    }
  }

  /** Until the next is due, or for so long. */
  private void rest(long mostNanos) {
    long wait = Math.min(mostNanos, line.waitNanos(System.nanoTime()));
    if (wait == Long.MAX_VALUE) {
      restUntilPut();
    } else if (wait > AWAKE_NANOS) {
      LockSupport.parkNanos(this, wait - AWAKE_NANOS);
    } else {
      Thread.onSpinWait();
    }
  }

  private void restUntilPut() {
    isWriterIdle = true;
    if (line.isEmpty() && !isClosed) {
      LockSupport.park(this);
    }
    isWriterIdle = false;
  }

  /** Cuts all connections. What is under way is lost. */
  @Override
  public void close() throws IOException {
    isClosed = true;
    LockSupport.unpark(writer);
    selector.close();
    server.close();
    connections.forEach(Connection::close);
  }
}
