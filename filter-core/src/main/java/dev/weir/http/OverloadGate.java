package dev.weir.http;

import dev.weir.Ticker;
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
 * Counts the requests of one node that are in the application, and lets in no more than it serves
 * well. It belongs to the node, not to a configuration: what is in flight is counted through every
 * reload. Thread-safe.
 *
 * <p>With a number of n, and shares that are reserved: a request is let in as long as those in
 * flight, and what is reserved and not in use, are fewer than n. One whose rule has a share is let
 * in as long as that is not used up. So at most n are in flight, and others never take the last of
 * a share; a rule may use more than its share, as others do. When the number falls below what is in
 * flight, nobody is let in but to a share.
 *
 * <p>A request that nobody tells the end of is counted until it is gone from memory.
 */
public final class OverloadGate {

  private final Ticker ticker;
  private final long originNanos;
  private final String attribute = OverloadGate.class.getName() + "." + UUID.randomUUID();
  private final ReferenceQueue<Ticket> gone = new ReferenceQueue<>();
  private final Set<Place> places = new HashSet<>();
  private final Map<String, Integer> inShare = new HashMap<>();
  private Optional<Overload> overload = Optional.empty();
  private Optional<InFlightNumber> number = Optional.empty();
  private long shed;

  /** Open: it lets everybody in, and counts nobody, until it is told otherwise. */
  public OverloadGate() {
    this(Ticker.system());
  }

  /** The same in a time of its own. */
  OverloadGate(Ticker ticker) {
    this.ticker = Objects.requireNonNull(ticker, "ticker");
    this.originNanos = ticker.nanoTime();
  }

  /**
   * How it stands.
   *
   * @param inFlight how many requests are in the application
   * @param number how many may be
   * @param shed how many were turned away since the start
   */
  public record Stats(int inFlight, int number, long shed) {}

  /** Obeys these numbers from now on; whatever is in flight stays counted. */
  public synchronized void follow(Optional<Overload> next) {
    Optional<InFlightNumber> before = number;
    number =
        next.map(now -> before.map(it -> it.within(now)).orElseGet(() -> InFlightNumber.of(now)));
    overload = next;
  }

  /** Empty while it is open. */
  public synchronized Optional<Stats> stats() {
    expelGone();
    return number.map(it -> new Stats(places.size(), it.now(), shed));
  }

  /** What tells that a request has passed it. */
  String attribute() {
    return attribute;
  }

  /**
   * Lets a request in.
   *
   * @param share the rule whose share it may use
   * @return empty when it is to be shed; it is counted as such then
   */
  synchronized Optional<Ticket> enter(Optional<String> share) {
    expelGone();
    int most = number.map(InFlightNumber::now).orElse(Integer.MAX_VALUE);
    boolean hasShare = share.filter(rule -> unused(rule, most) > 0).isPresent();
    if (!hasShare && places.size() + unused(most) >= most) {
      shed++;
      return Optional.empty();
    }
    return Optional.of(new Ticket(this, share, ticker));
  }

  /** Counts this one in. */
  private synchronized Place place(Ticket pass, Optional<String> share) {
    Place place = new Place(this, pass, share);
    places.add(place);
    share.ifPresent(rule -> inShare.merge(rule, 1, Integer::sum));
    return place;
  }

  private int unused(int most) {
    int unused = 0;
    for (String rule : overload.map(Overload::reserved).orElse(Map.of()).keySet()) {
      unused += unused(rule, most);
    }
    return unused;
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

  /** It leaves once, however often it is told to. */
  private synchronized void leave(Place place) {
    if (places.remove(place)) {
      place.share.ifPresent(
          rule -> inShare.computeIfPresent(rule, (name, used) -> used == 1 ? null : used - 1));
    }
  }

  /**
   * What one request takes up, known to the gate until it leaves. It refers to the request's pass
   * only so far as to hear that nobody else does.
   */
  static final class Place extends PhantomReference<Ticket> {

    private final OverloadGate gate;
    private final Optional<String> share;
    private final Optional<InFlightNumber> number;
    private final int inFlight;

    private Place(OverloadGate gate, Ticket pass, Optional<String> share) {
      super(pass, gate.gone);
      this.gate = gate;
      this.share = share;
      this.number = gate.number;
      this.inFlight = gate.places.size() + 1;
    }

    static Place of(OverloadGate gate, Ticket pass, Optional<String> share) {
      return gate.place(pass, share);
    }

    void leave() {
      gate.leave(this);
    }

    /** Since the gate was made: a ticker may begin below zero, where no window would ever end. */
    void took(long startNanos, long nanos) {
      number.ifPresent(it -> it.took(startNanos - gate.originNanos, nanos, inFlight));
    }
  }
}
