package dev.weir.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A connection of HTTP/2 without TLS, frame by frame: other clients cancel no stream at the instant
 * that a test needs. It opens streams and notes which have an answer.
 */
public final class Http2Connection implements AutoCloseable {

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int HEADERS = 1;
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GOAWAY = 7;
  private static final int ACK = 1;
  private static final int END_OF_STREAM_AND_HEADERS = 5;
  private static final int CANCEL = 8;

  private final URI base;
  private final Socket socket;
  private final OutputStream out;
  private final Set<Integer> replied = ConcurrentHashMap.newKeySet();
  private int next = 1;

  public Http2Connection(URI base) {
    this.base = base;
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), base.getPort());
      socket.setTcpNoDelay(true);
      out = socket.getOutputStream();
      out.write(PREFACE.getBytes(US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    send(SETTINGS, 0, 0, new byte[0]);
    Thread reader = new Thread(this::read, "http2-client");
    reader.setDaemon(true);
    reader.start();
  }

  /** Sends a GET, and returns its stream. */
  public synchronized int get(String path) {
    int stream = next;
    next += 2;
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    block.write(0x82); // :method GET
    block.write(0x86); // :scheme http
    field(block, 4, base.getRawPath() + path); // :path
    field(block, 1, base.getHost() + ":" + base.getPort()); // :authority
    send(HEADERS, END_OF_STREAM_AND_HEADERS, stream, block.toByteArray());
    return stream;
  }

  /** Adds a literal field without Huffman codes, its name from the static table. */
  private static void field(ByteArrayOutputStream block, int name, String value) {
    byte[] octets = value.getBytes(US_ASCII);
    block.write(name);
    block.write(octets.length); // below 127
    block.writeBytes(octets);
  }

  /** Whether the head of an answer has come, or the server has given the stream up. */
  public boolean hasReply(int stream) {
    return replied.contains(stream);
  }

  /** Cancels a stream as browsers do when they leave a page. */
  public void cancel(int stream) {
    send(RST_STREAM, 0, stream, ByteBuffer.allocate(4).putInt(CANCEL).array());
  }

  /** Says that this client opens no more streams. */
  public void goAway() {
    send(GOAWAY, 0, 0, new byte[8]);
  }

  /** Closes the connection with a TCP reset. */
  public void reset() {
    try {
      socket.setSoLinger(true, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    close();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void send(int type, int flags, int stream, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
    frame.put((byte) 0).putShort((short) payload.length).put((byte) type).put((byte) flags);
    frame.putInt(stream).put(payload);
    try {
      out.write(frame.array());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        int lengthAndType = in.readInt();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = in.readNBytes(lengthAndType >>> 8);
        received(lengthAndType & 0xff, flags, stream, payload);
      }
    } catch (IOException | UncheckedIOException ended) {
      // by either side
    }
  }

  private void received(int type, int flags, int stream, byte[] payload) {
    if (type == HEADERS || type == RST_STREAM) {
      replied.add(stream);
    } else if ((type == SETTINGS || type == PING) && (flags & ACK) == 0) {
      send(type, ACK, 0, type == PING ? payload : new byte[0]);
    }
  }
}
