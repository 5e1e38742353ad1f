package dev.weir.http.spi;

import dev.weir.http.RequestView;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A counter for the bytes of one response's body, as they are written. Header fields are not
 * counted. Neither is the effect of compression or encryption behind this. Thread-safe.
 */
public class BodyBytes {

  private final AtomicLong written = new AtomicLong();

  BodyBytes() {}

  /**
   * Returns the counter for this request. The body written for a HEAD is not sent, so it does not
   * count.
   */
  public static BodyBytes of(RequestView request) {
    return request.method().equals("HEAD") ? new Unsent() : new BodyBytes();
  }

  /**
   * Counts more written bytes.
   *
   * @param bytes at least 0
   */
  public void add(long bytes) {
    written.addAndGet(bytes);
  }

  /**
   * Resets the count, because what was written is not sent after all, as when the response is
   * reset.
   */
  public void forget() {
    written.set(0);
  }

  /** Wraps this stream in one that counts here what is written to it. */
  public OutputStream counting(OutputStream stream) {
    return new Counting(stream, this);
  }

  /** Returns how many bytes were written and not taken back. */
  public long written() {
    return written.get();
  }

  /** A counter for bytes that no client receives. It stays at zero. */
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

    /** Writes the whole block at once. The superclass would write the bytes one by one. */
    @Override
    public void write(byte[] octets, int offset, int length) throws IOException {
      out.write(octets, offset, length);
      bytes.add(length);
    }
  }
}
