package dev.weir.http;

import dev.weir.http.internal.decide.Afterwards;
import dev.weir.http.internal.decide.Afterwards.Ended;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The actions for the end of a request's response, such as the refund of charges that do not count.
 *
 * <p>A request has at most one at a time, and only if a rule requires it. It has one more if the
 * bytes of the body are requested only after the first was handed out. The adapter that received it
 * must report the end of the response, whatever happens. That is after all dispatches, and after
 * the last asynchronous write. The actions run at the first report. A repeated report has no
 * effect. Thread-safe.
 */
public final class Completion {

  private final Optional<BodyBytes> body;
  private final List<Afterwards> afterwards = new ArrayList<>();
  private boolean hasEnded;

  /** The status that was reported with the end. */
  private OptionalInt status = OptionalInt.empty();

  private Completion(Optional<BodyBytes> body) {
    this.body = body;
  }

  /** Creates one with these actions. It counts bytes if any of them requires the number. */
  static Completion of(List<Afterwards> first, RequestView request) {
    boolean counts = first.stream().anyMatch(Afterwards::wantsBytes);
    Completion completion =
        new Completion(counts ? Optional.of(BodyBytes.of(request)) : Optional.empty());
    completion.afterwards.addAll(first);
    return completion;
  }

  /**
   * Returns one to hand out. Empty if there is nothing to do, or if one that was handed out before
   * takes these actions.
   */
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
   * Returns where to count the bytes of the response's body until the end is reported. Empty when
   * no action requires the number.
   */
  public Optional<BodyBytes> body() {
    return body;
  }

  /**
   * Reports the end to that completion too, when it is reported to this one, or at once if it has
   * been. This is for an adapter that received the other one earlier, and keeps only one.
   */
  public void include(Completion earlier) {
    synchronized (this) {
      if (!hasEnded) {
        afterwards.add(new Included(earlier));
        return;
      }
    }
    earlier.end(status);
  }

  /**
   * Reports that the response has ended with this status. Never throws. For each decision that was
   * made, it takes at most one decision deadline to settle what was charged, and one more to
   * release permits that were held.
   */
  public void completed(int status) {
    end(OptionalInt.of(status));
  }

  /**
   * Reports that the request has ended with an unknown status. What was charged stays charged.
   * Never throws.
   */
  public void failed() {
    end(OptionalInt.empty());
  }

  /**
   * Adds actions and returns whether they will run. Returns false if the end has already been
   * reported. Also returns false if one requires bytes and none are counted.
   */
  synchronized boolean add(List<Afterwards> next) {
    if (hasEnded || (body.isEmpty() && next.stream().anyMatch(Afterwards::wantsBytes))) {
      return false;
    }
    afterwards.addAll(next);
    return true;
  }

  private void end(OptionalInt status) {
    Ended ended = ended(status);
    List<Afterwards> all = taken(status);
    all.forEach(next -> next.measured(ended));
    all.forEach(next -> next.ended(ended));
  }

  private Ended ended(OptionalInt status) {
    return new Ended(status, body.map(BodyBytes::written).orElse(0L));
  }

  private synchronized List<Afterwards> known() {
    return List.copyOf(afterwards);
  }

  private synchronized List<Afterwards> taken(OptionalInt reported) {
    if (!hasEnded) {
      hasEnded = true;
      status = reported;
    }
    List<Afterwards> all = List.copyOf(afterwards);
    afterwards.clear();
    return all;
  }

  /** The end of another completion, which counts its own bytes. */
  private record Included(Completion earlier) implements Afterwards {

    @Override
    public void measured(Ended response) {
      Ended own = earlier.ended(response.status());
      earlier.known().forEach(next -> next.measured(own));
    }

    @Override
    public void ended(Ended response) {
      earlier.end(response.status());
    }
  }
}
