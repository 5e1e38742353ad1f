package dev.weir.bench.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.HdrHistogram.Histogram;

/**
 * One connection that sends one request after the other. It checks only the status and the end of
 * an answer: the body is known, and no field contains its end.
 */
final class Client {

  private static final int STATUS_AT = "HTTP/1.1 ".length();
  private static final int END = 'o' << 8 | 'k';

  private final SocketChannel channel;
  private final Requests requests;
  private final Histogram latencies;
  private final ByteBuffer answer = ByteBuffer.allocateDirect(16 * 1024);
  private long sentNanos;
  private long answers;
  private long failures;

  private Client(SocketChannel channel, Requests requests, Histogram latencies) {
    this.channel = channel;
    this.requests = requests;
    this.latencies = latencies;
  }

  static Client connect(
      InetSocketAddress address, Selector selector, Requests requests, Histogram latencies)
      throws IOException {
    SocketChannel channel = SocketChannel.open(address);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    Client client = new Client(channel, requests, latencies);
    channel.register(selector, SelectionKey.OP_READ, client);
    return client;
  }

  /** Writes a request, which fits into the socket's buffer: no earlier one is in flight. */
  void send() throws IOException {
    ByteBuffer request = requests.next();
    sentNanos = System.nanoTime();
    while (request.hasRemaining()) {
      channel.write(request);
    }
  }

  /** Sends the next request once the answer is complete. */
  void replied() throws IOException {
    if (channel.read(answer) < 0) {
      throw new EOFException("the server has closed a connection");
    }
    if (!isWhole()) {
      return;
    }
    latencies.recordValue(System.nanoTime() - sentNanos);
    answers++;
    failures += answer.get(STATUS_AT) == '2' ? 0 : 1;
    answer.clear();
    send();
  }

  /** An answer other than 200 has another end, so this waits only for its beginning. */
  private boolean isWhole() {
    int length = answer.position();
    return length > STATUS_AT
        && (answer.get(STATUS_AT) != '2' || answer.getShort(length - Short.BYTES) == END);
  }

  long answers() {
    return answers;
  }

  long failures() {
    return failures;
  }

  void close() throws IOException {
    channel.close();
  }
}
