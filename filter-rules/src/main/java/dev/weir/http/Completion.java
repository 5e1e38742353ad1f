package dev.weir.http;

import dev.weir.http.internal.decide.RuleDecider;
import dev.weir.http.internal.decide.Settlement;
import dev.weir.http.internal.decide.Settlement.Ended;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

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
 * the last asynchronous write. The first report counts. A repeated report has no effect.
 * Thread-safe.
 */
public final class Completion {

  /** How long a cancelled request may take to go on, or to be reported as ended. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final Optional<BodyBytes> body;
  private final RuleDecider decider;
  private List<Settlement> settlements;
  private List<Ticket> tickets;
  private List<Completion> included = List.of();
  private boolean hasEnded;
  private Optional<Runnable> cancelGrace = Optional.empty();

  /** The status that was reported with the end. */
  private OptionalInt status = OptionalInt.empty();

  private Completion(
      Optional<BodyBytes> body,
      List<Settlement> settlements,
      List<Ticket> tickets,
      RuleDecider decider) {
    this.body = body;
    this.decider = decider;
    this.settlements = settlements;
    this.tickets = tickets;
  }

  /**
   * Returns one to hand out, which settles these. Empty if there are none, or if one that was
   * handed out before takes them.
   */
  static Optional<Completion> settling(
      List<Settlement> next, RequestState now, RequestView request, RuleDecider decider) {
    return next.isEmpty() ? Optional.empty() : handedOut(next, List.of(), now, request, decider);
  }

  /**
   * Returns one to hand out, at whose end the ticket ends. Empty if one that was handed out before
   * takes it.
   */
  static Optional<Completion> releasing(
      Ticket ticket, RequestState now, RequestView request, RuleDecider decider) {
    return handedOut(List.of(), List.of(ticket), now, request, decider);
  }

  private static Optional<Completion> handedOut(
      List<Settlement> settlements,
      List<Ticket> tickets,
      RequestState now,
      RequestView request,
      RuleDecider decider) {
    if (now.completion().filter(known -> known.add(settlements, tickets)).isPresent()) {
      return Optional.empty();
    }
    Optional<BodyBytes> body =
        wantBytes(settlements) ? Optional.of(BodyBytes.of(request)) : Optional.empty();
    Completion completion = new Completion(body, settlements, tickets, decider);
    now.endingWith(completion).keepOn(request);
    return Optional.of(completion);
  }

  private static boolean wantBytes(List<Settlement> settlements) {
    return settlements.stream().anyMatch(Settlement::wantsBytes);
  }

  /**
   * Returns where to count the bytes of the response's body until the end is reported. Empty when
   * nothing requires the number.
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
        included = joined(included, List.of(earlier));
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
   * Reports that the client has gone, and that no thread of the container is in the request. A
   * second later the request ends, unless its end is reported before that, or that it goes on. Work
   * of the application may go on beyond that: nothing reports its end.
   *
   * <p>The latency of such a request is not measured.
   *
   * @param status of a response that is committed; otherwise empty, and what was charged stays
   *     charged
   */
  public synchronized void cancelled(OptionalInt status) {
    cancelGrace.ifPresent(Runnable::run);
    if (!hasEnded) {
      cancelGrace = Optional.of(decider.runIn(GRACE, () -> end(status, Ticket::leave)));
    }
  }

  /** Reports that a cancelled request goes on, so that a later report tells its end. */
  public synchronized void resumed() {
    cancelGrace.ifPresent(Runnable::run);
    cancelGrace = Optional.empty();
  }

  /**
   * Adds what is left to do, and returns whether it will be done. Returns false if the end has
   * already been reported. Also returns false if one requires bytes and none are counted.
   */
  private synchronized boolean add(List<Settlement> moreSettlements, List<Ticket> moreTickets) {
    if (hasEnded || (body.isEmpty() && wantBytes(moreSettlements))) {
      return false;
    }
    settlements = joined(settlements, moreSettlements);
    tickets = joined(tickets, moreTickets);
    return true;
  }

  private static <T> List<T> joined(List<T> some, List<T> others) {
    if (some.isEmpty() || others.isEmpty()) {
      return some.isEmpty() ? others : some;
    }
    List<T> joined = new ArrayList<>(some);
    joined.addAll(others);
    return joined;
  }

  private void end(OptionalInt reported) {
    end(reported, ticket -> ticket.ended(reported));
  }

  /** Ends all tickets first, because the settlements may wait for the store. */
  private void end(OptionalInt reported, Consumer<Ticket> leaving) {
    if (endTickets(reported, leaving)) {
      settle();
    }
  }

  /** Ends the tickets of this and of those that it includes. Returns whether this had not ended. */
  private boolean endTickets(OptionalInt reported, Consumer<Ticket> leaving) {
    List<Ticket> ending;
    List<Completion> others;
    synchronized (this) {
      if (hasEnded) {
        return false;
      }
      hasEnded = true;
      cancelGrace.ifPresent(Runnable::run);
      status = reported;
      ending = tickets;
      others = included;
    }
    ending.forEach(leaving);
    others.forEach(other -> other.endTickets(reported, leaving));
    return true;
  }

  /** Settles each charge once, by the first status that was reported. */
  private void settle() {
    List<Settlement> ending;
    List<Completion> others;
    Ended ended;
    synchronized (this) {
      ending = settlements;
      others = included;
      settlements = List.of();
      included = List.of();
      ended = new Ended(status, body.map(BodyBytes::written).orElse(0L));
    }
    ending.forEach(settlement -> settlement.ended(ended));
    others.forEach(Completion::settle);
  }
}
