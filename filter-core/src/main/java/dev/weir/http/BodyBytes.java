package dev.weir.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of one response's body, as they are written. Fields are not counted, nor is what
 * compresses or encrypts behind this. Thread-safe.
 */
public class BodyBytes {

  private final AtomicLong written = new AtomicLong();

  BodyBytes() {}

  /** Where to count for this request: what is written for a HEAD is not sent, and not counted. */
  static BodyBytes of(RequestView request) {
    return request.method().equals("HEAD") ? new Unsent() : new BodyBytes();
  }

  /**
   * So many more were written.
   *
   * @param bytes at least 0
   */
  public void add(long bytes) {
    written.addAndGet(bytes);
  }

  /** What was written is not sent after all, as when the response is reset. */
  public void forget() {
    written.set(0);
  }

  /** This stream, which counts here what is written to it. */
  public OutputStream counting(OutputStream stream) {
    return new Counting(stream, this);
  }

  long written() {
    return written.get();
  }

  /** Those that nobody receives. */
  private static final class Unsent extends BodyBytes {

    @Override
    public void add(long bytes) {}
  }

  private static final class Counting extends FilterOutputStream {

    private final BodyBytes bytes;

    private Counting(OutputStream stream, BodyBytes bytes) {
      super(stream);
      this.bytes = bytes;
    }

    @Override
    public void write(int octet) throws IOException {
      out.write(octet);
      bytes.add(1);
    }

    /** Not one by one, as the one that is extended does it. */
    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
      out.write(octets, offset, length);
      bytes.add(length);
    }
  }
}
