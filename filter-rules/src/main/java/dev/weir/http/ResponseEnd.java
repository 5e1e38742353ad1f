package dev.weir.http;

import static dev.weir.http.RequestMemo.joined;

import dev.weir.http.internal.decide.RuleStore;
import dev.weir.http.internal.decide.Settlement;
import dev.weir.http.spi.Completion;
import dev.weir.http.spi.Completion.BodyBytes;
import dev.weir.http.spi.Completion.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The end of one request's response: what its charges are settled by, and the tickets that end with
 * it. Thread-safe.
 */
final class ResponseEnd implements Completion {

  /** How long a cancelled request may take to go on, or to be reported as ended. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final Optional<BodyBytes> body;
  private final RuleStore store;
  private List<Settlement> settlements;
  private List<Ticket> tickets;
  private List<ResponseEnd> included = List.of();
  private boolean hasEnded;
  private Optional<Runnable> cancelGrace = Optional.empty();

  /** What is kept of the response that was reported with the end; empty if it is unknown. */
  private Optional<Response> response = Optional.empty();

  private ResponseEnd(
      Optional<BodyBytes> body,
      List<Settlement> settlements,
      List<Ticket> tickets,
      RuleStore store) {
    this.body = body;
    this.store = store;
    this.settlements = settlements;
    this.tickets = tickets;
  }

  /**
   * Returns one to hand out, which settles these, and at whose end the ticket ends. Empty if there
   * is nothing to do, or if one that was handed out before does it.
   */
  static Optional<Completion> of(
      List<Settlement> settlements,
      Optional<Ticket> ticket,
      RequestMemo now,
      RequestView request,
      RuleStore store) {
    List<Ticket> tickets = ticket.filter(it -> !it.hasLeft()).stream().toList();
    boolean isNeeded = !settlements.isEmpty() || !tickets.isEmpty();
    if (!isNeeded || now.end().filter(known -> known.add(settlements, tickets)).isPresent()) {
      return Optional.empty();
    }
    Optional<BodyBytes> body =
        wantBytes(settlements) ? Optional.of(BodyBytes.of(request)) : Optional.empty();
    ResponseEnd end = new ResponseEnd(body, settlements, tickets, store);
    now.endingWith(end).keepOn(request);
    return Optional.of(end);
  }

  private static boolean wantBytes(List<Settlement> settlements) {
    return settlements.stream().anyMatch(Settlement::wantsBytes);
  }

  @Override
  public Optional<BodyBytes> body() {
    return body;
  }

  @Override
  public void include(Completion earlier) {
    ResponseEnd other = (ResponseEnd) earlier;
    synchronized (this) {
      if (!hasEnded) {
        included = joined(included, List.of(other));
        return;
      }
    }
    other.end(other.readsMoreThanStatus() ? Optional.empty() : response);
  }

  @Override
  public void completed(Response ended) {
    end(copyOf(ended));
  }

  @Override
  public void failed() {
    end(Optional.empty());
  }

  @Override
  public void cancelled(Optional<Response> committed) {
    Optional<Response> copy = committed.flatMap(this::copyOf);
    synchronized (this) {
      cancelGrace.ifPresent(Runnable::run);
      if (!hasEnded) {
        cancelGrace = Optional.of(store.runIn(GRACE, () -> end(copy, Ticket::leave)));
      }
    }
  }

  @Override
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
    tickets = tickets.containsAll(moreTickets) ? tickets : joined(tickets, moreTickets);
    return true;
  }

  private synchronized boolean readsMoreThanStatus() {
    return settlements.stream().anyMatch(Settlement::readsMoreThanStatus);
  }

  /** Returns what all that is settled with this reads of the response. Empty if it is unknown. */
  private Optional<Response> copyOf(Response ended) {
    List<Settlement> all = new ArrayList<>();
    collect(all, new HashSet<>());
    return Settlement.copyOf(ended, all);
  }

  /** Adds the settlements of this and of those that it includes, which may include this again. */
  private void collect(List<Settlement> all, Set<ResponseEnd> seen) {
    List<ResponseEnd> others;
    synchronized (this) {
      all.addAll(settlements);
      others = included;
    }
    if (seen.add(this)) {
      others.stream().filter(other -> !seen.contains(other)).forEach(it -> it.collect(all, seen));
    }
  }

  private void end(Optional<Response> reported) {
    OptionalInt status =
        reported.isEmpty() ? OptionalInt.empty() : OptionalInt.of(reported.get().status());
    end(reported, ticket -> ticket.ended(status));
  }

  /** Ends all tickets first, because the settlements may wait for the store. */
  private void end(Optional<Response> reported, Consumer<Ticket> leaving) {
    if (endTickets(reported, leaving)) {
      settle();
    }
  }

  /** Ends the tickets of this and of those that it includes. Returns whether this had not ended. */
  private boolean endTickets(Optional<Response> reported, Consumer<Ticket> leaving) {
    List<Ticket> ending;
    List<ResponseEnd> others;
    synchronized (this) {
      if (hasEnded) {
        return false;
      }
      hasEnded = true;
      cancelGrace.ifPresent(Runnable::run);
      response = reported;
      ending = tickets;
      others = included;
    }
    ending.forEach(leaving);
    others.forEach(other -> other.endTickets(reported, leaving));
    return true;
  }

  /** Settles each charge once, by the first response that was reported. */
  private void settle() {
    List<Settlement> ending;
    List<ResponseEnd> others;
    Settlement.Ended ended;
    synchronized (this) {
      ending = settlements;
      others = included;
      settlements = List.of();
      included = List.of();
      ended = new Settlement.Ended(response, body.map(BodyBytes::written).orElse(0L));
    }
    ending.forEach(settlement -> settlement.ended(ended));
    others.forEach(ResponseEnd::settle);
  }
}
