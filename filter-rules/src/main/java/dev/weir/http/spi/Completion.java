package dev.weir.http.spi;

import dev.weir.http.RequestView;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What is left to do at the end of a request's response, such as the refund of charges that do not
 * count.
 *
 * <p>Some containers report only that a client has gone, and nothing after that. An adapter reports
 * this as {@link #cancelled}.
 *
 * <p>A request has at most one at a time, and only if a rule requires it. It has one more if the
 * bytes of the body are requested only after the first was handed out. The adapter that received it
 * must report the end of the response, whatever happens. That is after all dispatches, and after
 * the last asynchronous write. The first report counts. A repeated report has no effect. No method
 * throws. Thread-safe.
 */
public interface Completion {

  /**
   * Returns where to count the bytes of the response's body until the end is reported. Empty when
   * nothing requires the number.
   */
  Optional<BodyBytes> body();

  /**
   * Reports the end to that completion too, when it is reported to this one, or at once if it has
   * been. This is for an adapter that received the other one earlier, and keeps only one.
   */
  void include(Completion earlier);

  /**
   * Reports that the response has ended. For each decision that was made, it takes at most one
   * decision deadline to settle what was charged, and one more to release permits that were held.
   *
   * @param response read during this call alone
   */
  void completed(Response response);

  /** Reports that a response has ended of which only the status is known. */
  default void completed(int status) {
    completed(Response.of(status));
  }

  /** Reports that the request has ended with an unknown status. What was charged stays charged. */
  void failed();

  /**
   * Reports that the client has gone, and that no thread of the container is in the request. A
   * second later the request ends, unless its end is reported before that, or that it goes on. Work
   * of the application may go on beyond that: nothing reports its end.
   *
   * <p>The latency of such a request is not measured.
   *
   * @param committed the response, if it is committed; otherwise what was charged stays charged.
   *     Read during this call alone
   */
  void cancelled(Optional<Response> committed);

  /** Reports that a cancelled request goes on, so that a later report tells its end. */
  void resumed();

  /** A response that has ended, as rules count it. */
  @FunctionalInterface
  interface Response {

    int status();

    /** Returns the names of the place to which a redirection leads: {@link RawRequest#redirect}. */
    default List<String> redirects() {
      return List.of();
    }

    /** Returns the value of this attribute of the request, which the application may have set. */
    default @Nullable Object attribute(String name) {
      return null;
    }

    /**
     * Returns whether the application has finished it. Of one that it has not, attributes that are
     * not set yet are unknown.
     */
    default boolean isComplete() {
      return true;
    }

    /** Returns a response of which only the status is known. */
    static Response of(int status) {
      return () -> status;
    }
  }

  /**
   * A counter for the bytes of one response's body, as they are written. Header fields are not
   * counted. Neither is the effect of compression or encryption behind this. Thread-safe.
   */
  class BodyBytes {

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
      return new Counting(stream);
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

    private final class Counting extends FilterOutputStream {

      private Counting(OutputStream stream) {
        super(stream);
      }

      @Override
      public void write(int octet) throws IOException {
        out.write(octet);
        add(1);
      }

      /** Writes the whole block at once. The superclass would write the bytes one by one. */
      @Override
      public void write(byte[] octets, int offset, int length) throws IOException {
        out.write(octets, offset, length);
        add(length);
      }
    }
  }
}
