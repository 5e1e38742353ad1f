package dev.weir.http;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * What is left to do when the response to a request has ended, such as giving back what does not
 * count.
 *
 * <p>There is at most one under way for a request, and only where a rule wants it. The adapter that
 * was handed it tells it the end of the response, whatever happens: after all dispatches, and after
 * the last of what is written asynchronously. It does its work the first time; to tell it again
 * does nothing. Thread-safe.
 */
public final class Completion {

  private final List<Afterwards> afterwards = new ArrayList<>();
  private boolean hasEnded;

  Completion() {}

  /**
   * The response has ended with this status. Never throws, and takes no longer than a decision may
   * for each decision that was made.
   */
  public void completed(int status) {
    end(OptionalInt.of(status));
  }

  /**
   * The request has ended, and it is not known with which status: what was charged stays. Never
   * throws.
   */
  public void failed() {
    end(OptionalInt.empty());
  }

  /** Whether this will be done; not when the end has been told before. */
  synchronized boolean add(List<Afterwards> next) {
    if (!hasEnded) {
      afterwards.addAll(next);
    }
    return !hasEnded;
  }

  private void end(OptionalInt status) {
    taken().forEach(next -> next.ended(status));
  }

  private synchronized List<Afterwards> taken() {
    hasEnded = true;
    List<Afterwards> all = List.copyOf(afterwards);
    afterwards.clear();
    return all;
  }
}
