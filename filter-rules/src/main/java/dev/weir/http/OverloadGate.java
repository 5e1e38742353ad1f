package dev.weir.http;

import dev.weir.http.internal.overload.InFlightNumber;
import dev.weir.store.LimitStore.Ticker;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A gate that counts the requests of one node that are in the application. It admits no more than
 * the node serves well. It belongs to the node, not to a configuration. The requests in flight stay
 * counted through every reload. Thread-safe.
 *
 * <p>Let n be the number. The gate adds the requests in flight and the reserved places that are not
 * in use. A request is admitted while this sum is less than n. A request of a rule with a share is
 * also admitted while the share is not used up. So at most n requests are in flight, and other
 * requests never take the last place of a share. A rule may use more than its share, as other
 * requests do. When the number falls below the requests in flight, only requests with an unused
 * share are admitted.
 *
 * <p>If the end of a request is never reported, the request is counted until it is garbage
 * collected.
 */
final class OverloadGate {

  private final Ticker ticker;
  private final long originNanos;
  private final String attribute = OverloadGate.class.getName() + "." + UUID.randomUUID();
  private final ReferenceQueue<Ticket> gone = new ReferenceQueue<>();
  private final Set<Place> places = new HashSet<>();
  private final Map<String, Integer> inShare = new HashMap<>();
  private Optional<Overload> overload = Optional.empty();
  private Optional<InFlightNumber> number = Optional.empty();
  private long shed;
  private long shadowShed;

  /** Creates an open gate. It admits every request until {@link #follow} sets a number. */
  OverloadGate(Ticker ticker) {
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    this.originNanos = ticker.nanoTime();
  }

  /** Applies these settings from now on. The requests in flight stay counted. */
  synchronized void follow(Optional<Overload> next) {
    Optional<InFlightNumber> before = number;
    number =
        next.map(now -> before.map(it -> it.within(now)).orElseGet(() -> InFlightNumber.of(now)));
    overload = next;
  }

  /** Returns the state of the gate, or empty while it is open. */
  synchronized Optional<RuleLimiter.InFlight> stats() {
    expelGone();
    return number.map(it -> new RuleLimiter.InFlight(places.size(), it.now(), shed, shadowShed));
  }

  /** Returns the name of the request attribute that marks a request as already checked. */
  String attribute() {
    return attribute;
  }

  /**
   * Admits a request, which may use the share of this rule. Returns empty when it must be shed; it
   * is then counted as shed. A gate that only observes admits it, and counts it apart.
   */
  synchronized Optional<Ticket> enter(Optional<String> share) {
    expelGone();
    int most = number.map(InFlightNumber::now).orElse(Integer.MAX_VALUE);
    boolean hasShare = share.filter(rule -> unused(rule, most) > 0).isPresent();
    boolean isFull = !hasShare && places.size() + unused(most) >= most;
    boolean isShadow = overload.filter(Overload::isShadow).isPresent();
    if (isFull && !isShadow) {
      shed++;
      return Optional.empty();
    }
    shadowShed += isFull ? 1 : 0;
    return Optional.of(new Ticket(this, share, ticker, isFull));
  }

  /** Counts the request of this ticket as in flight. */
  synchronized Place place(Ticket ticket) {
    Place place = new Place(ticket);
    places.add(place);
    place.share.ifPresent(rule -> inShare.merge(rule, 1, Integer::sum));
    return place;
  }

  private int unused(int most) {
    Set<String> rules = overload.map(Overload::reserved).orElse(Map.of()).keySet();
    return rules.stream().mapToInt(rule -> unused(rule, most)).sum();
  }

  private int unused(String rule, int most) {
    int reserved = overload.map(it -> it.reserved(rule, most)).orElse(0);
    return Math.max(0, reserved - inShare.getOrDefault(rule, 0));
  }

  private void expelGone() {
    for (Reference<?> lost = gone.poll(); lost != null; lost = gone.poll()) {
      leave((Place) lost);
    }
  }

  private synchronized void leave(Place place) {
    if (places.remove(place)) {
      place.share.ifPresent(
          rule -> inShare.computeIfPresent(rule, (name, used) -> used == 1 ? null : used - 1));
    }
  }

  /**
   * The place of one request. The gate counts it until it is released. It is a phantom reference to
   * the request's ticket, so that the gate is notified when nothing else refers to the ticket.
   */
  final class Place extends PhantomReference<Ticket> {

    private final Optional<String> share;
    private final Optional<InFlightNumber> numberAtFirst = number;
    private final int inFlight = places.size() + 1;

    private Place(Ticket ticket) {
      super(ticket, gone);
      this.share = ticket.share();
    }

    /** Releases the place once. Repeated calls have no effect. */
    void leave() {
      OverloadGate.this.leave(this);
    }

    /**
     * Reports how long the request took. The start is measured from the creation of the gate: a
     * ticker may begin below zero, and then no measuring window would ever end.
     */
    void took(long startNanos, long nanos) {
      numberAtFirst.ifPresent(it -> it.took(startNanos - originNanos, nanos, inFlight));
    }
  }
}
