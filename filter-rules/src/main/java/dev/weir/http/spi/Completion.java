package dev.weir.http.spi;

import java.util.Optional;
import java.util.OptionalInt;

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
   * Reports that the response has ended with this status. For each decision that was made, it takes
   * at most one decision deadline to settle what was charged, and one more to release permits that
   * were held.
   */
  void completed(int status);

  /** Reports that the request has ended with an unknown status. What was charged stays charged. */
  void failed();

  /**
   * Reports that the client has gone, and that no thread of the container is in the request. A
   * second later the request ends, unless its end is reported before that, or that it goes on. Work
   * of the application may go on beyond that: nothing reports its end.
   *
   * <p>The latency of such a request is not measured.
   *
   * @param status of a response that is committed; otherwise empty, and what was charged stays
   *     charged
   */
  void cancelled(OptionalInt status);

  /** Reports that a cancelled request goes on, so that a later report tells its end. */
  void resumed();
}
