package dev.weir.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is left to do when the response to a request has ended, such as giving back what does not
 * count.
 *
 * <p>There is at most one under way for a request, and only where a rule wants it; and one more
 * where the bytes of the body are asked for only after that was handed out. The adapter that was
 * handed it tells it the end of the response, whatever happens: after all dispatches, and after the
 * last of what is written asynchronously. It does its work the first time; to tell it again does
 * nothing. Thread-safe.
 */
public final class Completion {

  private final Optional<BodyBytes> body;
  private final List<Afterwards> afterwards = new ArrayList<>();
  private boolean hasEnded;

  private Completion(Optional<BodyBytes> body) {
    this.body = body;
  }

  /** One that does this, and counts bytes if any of this wants them. */
  static Completion of(List<Afterwards> first, RequestView request) {
    boolean counts = first.stream().anyMatch(Afterwards::wantsBytes);
    Completion completion =
        new Completion(counts ? Optional.of(BodyBytes.of(request)) : Optional.empty());
    completion.afterwards.addAll(first);
    return completion;
  }

  /** One to hand out, unless there is nothing to do, or somebody was handed one that will do it. */
  static Optional<Completion> handedOut(
      List<Afterwards> next, RequestState now, RequestView request) {
    if (next.isEmpty() || now.completion().filter(known -> known.add(next)).isPresent()) {
      return Optional.empty();
    }
    Completion completion = of(next, request);
    now.endingWith(completion).keepOn(request);
    return Optional.of(completion);
  }

  /**
   * Where to count the bytes of the response's body until the end is told; empty when nobody wants
   * to know.
   */
  public Optional<BodyBytes> body() {
    return body;
  }

  /**
   * Tells this one too, whenever the end is told: for an adapter that was handed it earlier, and
   * keeps one only.
   */
  public synchronized void include(Completion earlier) {
    afterwards.add(response -> earlier.end(response.status()));
  }

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

  /**
   * Whether this will be done; not when the end has been told before, nor when it wants bytes and
   * nobody counts them.
   */
  synchronized boolean add(List<Afterwards> next) {
    if (hasEnded || (body.isEmpty() && next.stream().anyMatch(Afterwards::wantsBytes))) {
      return false;
    }
    afterwards.addAll(next);
    return true;
  }

  private void end(OptionalInt status) {
    Ended ended = new Ended(status, body.map(BodyBytes::written).orElse(0L));
    taken().forEach(next -> next.ended(ended));
  }

  private synchronized List<Afterwards> taken() {
    hasEnded = true;
    List<Afterwards> all = List.copyOf(afterwards);
    afterwards.clear();
    return all;
  }
}
