package dev.weir.cli;

import dev.weir.limit.FixedWindow;
import dev.weir.limit.FixedWindow.CalendarWindow;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides about one request by peeks at another store, and changes nothing there. So the limiter of
 * an application explains a request that it does not charge.
 *
 * <p>A peek returns the state before a charge, and an answer has the state after it. So this adds
 * what would be charged, by the decisions before it too: one request may charge a counter twice.
 * For one request, on one thread.
 */
final class PeekingStore implements LimitStore {

  private final LimitStore peeked;
  private final Duration patience;
  private final Clock clock;
  private final Map<Map.Entry<String, Subject>, Long> charged = new HashMap<>();
  private final List<Decision> seen = new ArrayList<>();
  private Optional<StoreUnavailableException> unanswered = Optional.empty();

  PeekingStore(LimitStore peeked, Duration patience, Clock clock) {
    this.peeked = peeked;
    this.patience = patience;
    this.clock = clock;
  }

  /** Returns the peeks so far. */
  List<Decision> seen() {
    return seen;
  }

  /**
   * Checks that each peek was answered. Otherwise an outage policy has decided here, and a node may
   * go on by its share.
   *
   * @throws Failure when one was not
   */
  void requireAnswers() {
    if (unanswered.isPresent()) {
      throw Failure.notReached(unanswered.get());
    }
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    List<Charge> charges = request.charges().stream().map(this::withCharged).toList();
    Decision decision =
        peek(new AcquireRequest(charges, Mode.PEEK, request.onOutage(), Deadline.after(patience)));
    seen.add(decision);
    if (!(decision instanceof Decision.Counted counted)) {
      return decision;
    }
    boolean isAllowed = counted.allowed();
    List<Verdict> verdicts = new ArrayList<>();
    for (Verdict verdict : counted.verdicts()) {
      long permits = permitsOf(verdict.counter(), isAllowed ? charges : List.of());
      long before = charged.getOrDefault(key(verdict.counter()), 0L);
      verdicts.add(after(verdict, isAllowed ? permits : before));
    }
    if (isAllowed) {
      charges.forEach(charge -> charged.put(key(charge.counter()), charge.permits()));
    }
    return Decision.counted(
        counted.source(), verdicts, Receipt.nothing(counted.source()), counted.delay());
  }

  private Decision peek(AcquireRequest request) throws StoreUnavailableException {
    try {
      return peeked.decide(request);
    } catch (StoreUnavailableException gone) {
      unanswered = Optional.of(gone);
      throw gone;
    }
  }

  private Charge withCharged(Charge charge) {
    long before = charged.getOrDefault(key(charge.counter()), 0L);
    long capacity = charge.counter().limit().capacity();
    long permits = charge.permits() + before;
    boolean fitsAlone = charge.permits() <= capacity;
    return new Charge(charge.counter(), fitsAlone ? Math.min(permits, capacity) : permits);
  }

  private static long permitsOf(Counter counter, List<Charge> charges) {
    return charges.stream()
        .filter(charge -> charge.counter().isSameAs(counter))
        .mapToLong(Charge::permits)
        .sum();
  }

  private static Map.Entry<String, Subject> key(Counter counter) {
    return Map.entry(counter.name(), counter.subject());
  }

  /** Returns the state after a charge of so many permits that fit. */
  private Verdict after(Verdict before, long permits) {
    if (permits == 0) {
      return before;
    }
    boolean isPaced = before.counter().limit().algorithm() == Limit.Algorithm.LEAKY_BUCKET;
    long remaining =
        isPaced ? 0 : before.remaining() - permits; // a paced bucket grants nothing next
    return new Verdict(
        before.counter(),
        Math.max(0, remaining),
        before.retry(),
        resetNanos(before, permits),
        before.isOwn(),
        before.blockedNanos());
  }

  private long resetNanos(Verdict before, long permits) {
    Limit limit = before.counter().limit();
    long toFull = limit.timeToFull().toNanos();
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, LEAKY_BUCKET ->
          before.resetAfterNanos() + (long) ((double) toFull * permits / limit.capacity());
      case FIXED_WINDOW ->
          before.resetAfterNanos() > 0
              ? before.resetAfterNanos()
              : windowNanos((FixedWindow) limit, toFull);
      case SLIDING_WINDOW -> slidingNanos((SlidingWindow) limit);
      case CONCURRENCY -> toFull;
    };
  }

  /** Returns the length of a window that begins now. */
  private long windowNanos(FixedWindow limit, long length) {
    Instant now = clock.instant();
    return limit.window() instanceof CalendarWindow calendar
        ? Duration.between(now, calendar.at(now).end()).toNanos()
        : length;
  }

  /** Returns how long permits count that are taken now: until the last window with them ends. */
  private long slidingNanos(SlidingWindow limit) {
    long width = limit.subWindow().toNanos();
    long micros = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    long intoSubWindow = (micros % (width / 1_000)) * 1_000;
    return (limit.subWindows() + 1) * width - intoSubWindow;
  }

  /** Changes nothing. */
  @Override
  public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline) {
    return Set.of();
  }

  @Override
  public boolean isHealthy() {
    return peeked.isHealthy();
  }

  /** Leaves the other store open. */
  @Override
  public void close() {
    // its owner closes it
  }
}
