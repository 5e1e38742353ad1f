package dev.weir.bench.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;

/**
 * One connection that sends one request after the other. It checks only the status and the end of
 * an answer. The body of a 200 is known, and no field contains its end. Another answer states its
 * length.
 */
final class Client {

  private static final int STATUS_AT = "HTTP/1.1 ".length();
  private static final int STATUS_LENGTH = 3;
  private static final int END = 'o' << 8 | 'k';
  private static final String END_OF_FIELDS = "\r\n\r\n";
  private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)\r\n");

  private final SocketChannel channel;
  private final Requests requests;
  private final int status;
  private final Histogram latencies;
  private final ByteBuffer answer = ByteBuffer.allocateDirect(16 * 1024);
  private long sentNanos;
  private long answers;
  private long failures;

  private Client(SocketChannel channel, Requests requests, int status, Histogram latencies) {
    this.channel = channel;
    this.requests = requests;
    this.status = status;
    this.latencies = latencies;
  }

  /**
   * @param status that each answer should have
   */
  static Client connect(
      InetSocketAddress address,
      Selector selector,
      Requests requests,
      int status,
      Histogram latencies)
      throws IOException {
    SocketChannel channel = SocketChannel.open(address);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    Client client = new Client(channel, requests, status, latencies);
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
    failures += found() == status ? 0 : 1;
    answer.clear();
    send();
  }

  private boolean isWhole() throws IOException {
    int length = answer.position();
    if (length < STATUS_AT + STATUS_LENGTH) {
      return false;
    }
    return answer.get(STATUS_AT) == '2'
        ? answer.getShort(length - Short.BYTES) == END
        : isWholeByLength(length);
  }

  /**
   * @throws IOException when the answer does not fit, or does not state its length
   */
  private boolean isWholeByLength(int length) throws IOException {
    byte[] bytes = new byte[length];
    answer.get(0, bytes);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int end = text.indexOf(END_OF_FIELDS);
    if (end < 0) {
      return false;
    }
    Matcher stated = LENGTH.matcher(text.substring(0, end + 2));
    if (!stated.find()) {
      throw new IOException("an answer without its length: " + text);
    }
    return length >= end + END_OF_FIELDS.length() + Integer.parseInt(stated.group(1));
  }

  private int found() {
    int number = 0;
    for (int i = STATUS_AT; i < STATUS_AT + STATUS_LENGTH; i++) {
      number = 10 * number + answer.get(i) - '0';
    }
    return number;
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
