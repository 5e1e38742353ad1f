package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Trips to one primary that decisions share: whatever comes while others are under way leaves
 * together, in order of arrival.
 *
 * <p>A trip begins when nobody is under way, or when as many wait as are. So whoever comes alone
 * goes at once, and alone: at low load nothing is waited for. Under load a trip is made while the
 * next one gathers, and each is as large as those before it together: with 32 callers about eleven
 * are on each of two trips, and the others hold their replies. No size has to be guessed. To wait
 * until the trip before is back would leave the primary idle while its reply is read, and half of
 * the machine with eight callers; to wait for fewer callers would send many small trips.
 *
 * <p>No thread is kept for it: a trip is made by one of its passengers. Who has made one lets the
 * next begin, and only then tells his passengers what he has brought back.
 *
 * <p>Each waits until his own deadline. One that passes before a trip has begun has asked for
 * nothing, nor has one before his trip is sent. A trip ends by the deadline of who makes it, which
 * is at least half of the usual one where anybody has as much: nobody is cut short by one in haste.
 *
 * <p>A trip that takes too long is overtaken: a reply that was lost on the way to one of them is
 * not waited for by all. So whoever has waited for a part of a deadline lets another one begin, and
 * from then on nobody waits for the slow one. Each is on a connection of its own, of which there
 * are a few.
 */
final class SharedTrips {

  /** More in one trip would keep Redis from everybody else for longer than half a millisecond. */
  static final int MOST_TOGETHER = 64;

  /**
   * A trip with so many counters aboard is full: a decision over many takes as long as many
   * decisions, and Lua cannot take some thousands of keys in hand at once.
   */
  static final int MOST_COUNTERS = 128;

  /** So many at once: the other connections are left to what is not shared. */
  static final int MOST_TRIPS = Pool.SIZE - 2;

  /** What part of a deadline a trip may take before it is overtaken: in one, the breaker opens. */
  private static final int PART = 8;

  /** The way to the primary. */
  interface Way {

    /** Makes a trip, and tells each passenger what has come of it. */
    void make(List<Passenger> passengers, Deadline due);

    /** For one who has asked for nothing yet, and whose time is over. */
    StoreUnavailableException tooLate(Passenger passenger);

    /**
     * For one whose time is over before anybody knows what has come of it.
     *
     * @param passenger that was sent
     * @param othersUnderWay whether other trips are, each on another connection
     */
    StoreUnavailableException unanswered(Passenger passenger, boolean othersUnderWay);
  }

  /** A trip that has begun, and ends; no two are the same. */
  private final class Trip {
    private final List<Passenger> party;
    private final long begunNanos = System.nanoTime();
    private final AtomicBoolean isWaitedFor = new AtomicBoolean(true);

    Trip(List<Passenger> party) {
      this.party = party;
    }

    boolean isSlow() {
      return System.nanoTime() - begunNanos >= patienceNanos;
    }

    /** Nobody waits for it any more before another one begins. */
    void release() {
      if (isWaitedFor.compareAndSet(true, false)) {
        underWayCount.addAndGet(-party.size());
      }
    }
  }

  private final Way way;
  private final long deadlineNanos;
  private final long patienceNanos;
  private final Queue<Passenger> waiting = new ConcurrentLinkedQueue<>();

  private final AtomicInteger waitingCount = new AtomicInteger();
  private final AtomicBoolean isBoarding = new AtomicBoolean();
  private final Set<Trip> underWay = ConcurrentHashMap.newKeySet();

  /** Passengers of the trips that are under way, but for those that were overtaken. */
  private final AtomicInteger underWayCount = new AtomicInteger();

  /**
   * @param deadline that decisions usually have
   */
  SharedTrips(Duration deadline, Way way) {
    this.deadlineNanos = TimeUnit.NANOSECONDS.convert(deadline);
    this.patienceNanos = deadlineNanos / PART;
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
    waitingCount.incrementAndGet();
    begin();
    boolean interrupted = passenger.waitForTurn(patienceNanos, this::overtake);
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
    throw passenger.isGone()
        ? way.tooLate(passenger)
        : way.unanswered(passenger, underWay.size() > 1);
  }

  /**
   * Answers everybody who waits, those first who have waited longest: there is nothing to wait for.
   * Who makes a trip finds out for himself, or by his connection.
   */
  void dismiss() {
    dismissUnderWay();
    waiting.forEach(Passenger::dismiss);
    dismissUnderWay(); // who has boarded meanwhile
  }

  private void dismissUnderWay() {
    underWay.stream()
        .sorted(Comparator.comparingLong(trip -> trip.begunNanos))
        .forEach(trip -> trip.party.forEach(Passenger::dismiss));
  }

  /** Those who wait make a trip, if it is time for one. Whoever lets one begin looks once more. */
  private void begin() {
    while (isTime() && isBoarding.compareAndSet(false, true)) {
      try {
        if (isTime()) {
          leave();
        }
      } finally {
        isBoarding.set(false);
      }
    }
  }

  private boolean isTime() {
    int wait = waitingCount.get();
    return wait > 0 && wait >= underWayCount.get() && underWay.size() < MOST_TRIPS;
  }

  /** They make one whether or not it is time; and nobody waits any more for what takes too long. */
  private void overtake() {
    underWay.stream().filter(Trip::isSlow).forEach(Trip::release);
    if (isBoarding.compareAndSet(false, true)) {
      try {
        if (underWay.size() < MOST_TRIPS) {
          leave();
        }
      } finally {
        isBoarding.set(false);
      }
      begin();
    }
  }

  private void leave() {
    Trip trip = new Trip(aboard());
    begun(trip);
    boolean hasDriver = false;
    try {
      hasDriver = handOver(trip);
    } finally {
      if (!hasDriver) {
        ended(trip);
      }
    }
  }

  private void begun(Trip trip) {
    underWayCount.addAndGet(trip.party.size());
    underWay.add(trip);
  }

  private void ended(Trip trip) {
    underWay.remove(trip);
    trip.release();
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
      waitingCount.decrementAndGet();
      if (next.board()) {
        party.add(next);
        counters += next.call().keys().size();
      }
    }
    return party;
  }

  /** Wakes the one who is to make it; false when nobody of them has any time left. */
  private boolean handOver(Trip trip) {
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
   * Whose deadline is nearest to what decisions usually have: somebody who would wait for minutes
   * is not to keep a connection for so long. But who has less than half of that is in haste, and
   * makes the trip only where all are.
   */
  private Passenger driverOf(List<Passenger> able) {
    long usualNanos = System.nanoTime() + deadlineNanos;
    Passenger best = able.get(0);
    for (Passenger other : able) {
      long over = other.due().nanoTime() - usualNanos;
      long bestOver = best.due().nanoTime() - usualNanos;
      best = suitsBetter(over, bestOver) ? other : best;
    }
    return best;
  }

  private boolean suitsBetter(long over, long bestOver) {
    boolean isHasty = over < -deadlineNanos / 2;
    boolean isBestHasty = bestOver < -deadlineNanos / 2;
    return isHasty == isBestHasty ? Math.abs(over) < Math.abs(bestOver) : isBestHasty;
  }

  private void drive(Trip trip, Deadline due) {
    try {
      way.make(trip.party, due);
    } finally {
      try {
        ended(trip);
        begin();
      } finally {
        trip.party.forEach(Passenger::bringBack);
      }
    }
  }
}
