package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Trips to one primary that decisions share: whatever comes while a trip is under way leaves
 * together in the next, in order of arrival.
 *
 * <p>No thread is kept for it. Whoever comes while no trip is under way makes one at once, and
 * alone: at low load nothing is waited for. Everybody else waits. Who has made a trip lets the next
 * one begin, and only then tells his passengers what he has brought back: a trip is always made by
 * one of its passengers, and nobody makes a second one for others.
 *
 * <p>Each waits until his own deadline. One that passes before a trip has begun has asked for
 * nothing, nor has one before his trip is sent. A trip ends by the deadline of who makes it, which
 * is the latest of those who waited together: nobody is cut short because somebody else was in
 * haste.
 *
 * <p>A trip that takes too long is overtaken: a reply that was lost on the way to one of them is
 * not waited for by all. So whoever has waited for a part of a deadline lets another one begin, on
 * a connection of its own, of which there are a few.
 */
final class SharedTrips {

  /** More in one trip would keep Redis from everybody else for longer than half a millisecond. */
  static final int MOST_TOGETHER = 64;

  /**
   * Who finds so many counters aboard is left to the next trip: a decision over many takes as long
   * as many decisions, and Lua cannot take some thousands of keys in hand at once.
   */
  static final int MOST_COUNTERS = 128;

  /** So many at once, when each is overtaken; as many as there are connections. */
  private static final int MOST_TRIPS = Pool.SIZE;

  /** What part of a deadline a trip may take before it is overtaken: in one, the breaker opens. */
  private static final int PART = 8;

  /** The way to the primary. */
  interface Way {

    /** Makes a trip, and tells each passenger what has come of it. */
    void make(List<Passenger> passengers, Deadline due);

    /** For one who has asked for nothing yet, and whose time is over. */
    StoreUnavailableException tooLate();

    /**
     * For one whose time is over before anybody knows what has come of it.
     *
     * @param passenger that was sent
     * @param isSilence whether others are on their way, too, and so on another connection
     */
    StoreUnavailableException unanswered(Passenger passenger, boolean isSilence);
  }

  /** A trip that has begun, and ends. */
  private static final class Trip {
    private volatile List<Passenger> party = List.of();
  }

  private final Way way;
  private final long deadlineNanos;
  private final Queue<Passenger> waiting = new ConcurrentLinkedQueue<>();

  /** What nobody has overtaken yet; while it is under way, the others wait for it. */
  private final AtomicReference<@Nullable Trip> front = new AtomicReference<>();

  /** With those that were overtaken. */
  private final Set<Trip> underWay = ConcurrentHashMap.newKeySet();

  /**
   * @param deadline that decisions usually have
   */
  SharedTrips(Duration deadline, Way way) {
    this.deadlineNanos = TimeUnit.NANOSECONDS.convert(deadline);
    this.way = way;
  }

  /**
   * What the call is replied, on a trip that it may share.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline
   * @throws JedisRedirectionException when another primary has the slot
   */
  List<Long> call(ScriptCall call, Deadline due) throws StoreUnavailableException {
    Passenger passenger = new Passenger(call, due);
    waiting.add(passenger);
    begin();
    boolean interrupted = passenger.waitForTurn(deadlineNanos / PART, this::overtake);
    try {
      if (passenger.drives()) {
        interrupted |= Thread.interrupted(); // it is not for his passengers to be interrupted
        passenger.drive();
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return reply(passenger);
  }

  private List<Long> reply(Passenger passenger) throws StoreUnavailableException {
    @Nullable List<Long> reply = passenger.reply();
    if (reply != null) {
      return reply;
    }
    throw passenger.isGone() ? way.tooLate() : way.unanswered(passenger, underWay.size() > 1);
  }

  /**
   * Answers everybody who waits: there is nothing to wait for. Who has a connection to wait on
   * finds out for himself.
   */
  void dismiss() {
    waiting.forEach(Passenger::dismiss);
    underWay.forEach(trip -> trip.party.forEach(Passenger::dismiss));
  }

  /** Those who wait make a trip, if there is none to wait for. */
  private void begin() {
    beginInsteadOf(null);
  }

  /** Or if that takes too long. */
  private void overtake() {
    @Nullable Trip slow = front.get();
    if (slow == null || underWay.size() < MOST_TRIPS) {
      beginInsteadOf(slow);
    }
  }

  private void beginInsteadOf(@Nullable Trip slow) {
    @Nullable Trip before = slow;
    while (!waiting.isEmpty()) {
      Trip trip = new Trip();
      if (!front.compareAndSet(before, trip)) {
        return;
      }
      underWay.add(trip);
      boolean handedOver = false;
      try {
        trip.party = aboard();
        handedOver = isHandedOver(trip);
      } finally {
        if (!handedOver) {
          ended(trip);
        }
      }
      if (handedOver) {
        return;
      }
      before = null;
    }
  }

  private void ended(Trip trip) {
    underWay.remove(trip);
    front.compareAndSet(trip, null);
  }

  /** Whoever waits, in order of arrival. */
  private List<Passenger> aboard() {
    List<Passenger> party = new ArrayList<>();
    int counters = 0;
    while (party.size() < MOST_TOGETHER && counters < MOST_COUNTERS) {
      @Nullable Passenger next = waiting.poll();
      if (next == null) {
        break;
      }
      if (next.board()) {
        party.add(next);
        counters += next.call().keys().size();
      }
    }
    return party;
  }

  /** False when nobody of them has any time left. */
  private boolean isHandedOver(Trip trip) {
    List<Passenger> able = new ArrayList<>(trip.party);
    while (!able.isEmpty()) {
      Passenger driver = driverOf(able);
      if (driver.toDrive(() -> drive(trip, driver.due()))) {
        return true;
      }
      able.remove(driver);
    }
    return false;
  }

  /**
   * Who has most time of them, but no more than decisions usually have: somebody who would wait for
   * minutes is not to make all others wait for his trip.
   */
  private Passenger driverOf(List<Passenger> able) {
    long usualNanos = System.nanoTime() + deadlineNanos;
    Passenger best = able.get(0);
    for (Passenger other : able) {
      long over = other.due().nanoTime() - usualNanos;
      long bestOver = best.due().nanoTime() - usualNanos;
      boolean isBetter =
          over <= 0 ? bestOver > 0 || over > bestOver : bestOver > 0 && over < bestOver;
      best = isBetter ? other : best;
    }
    return best;
  }

  private void drive(Trip trip, Deadline due) {
    try {
      way.make(trip.party, due);
    } finally {
      try {
        ended(trip);
        begin();
      } finally {
        trip.party.forEach(Passenger::isBack);
      }
    }
  }
}
