package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Decides asks that can wait for their permits, without a thread that waits: for whoever asks a
 * {@link LimitStore} about several limits at once, a request for instance; {@link TokenLimiter} and
 * its like do so for one.
 *
 * <p>An ask of one token bucket or leaky bucket takes its place in the store, in the order of all
 * nodes, and is refused at once exactly when that comes too late. Any other stands in this node's
 * line of those who wait for the same counters: in order of arrival, those apart that arrive within
 * one trip to the store of each other. All its charges are made together, at the instant at which
 * it runs, and none before. It is refused at once when it is denied by a counter that is not waited
 * for, by one that has room too late, or when more stands before it than is ever granted in time,
 * unless somebody gives permits back. What is held is asked for again when a request of the same
 * line has released it on this node, and ten times a second.
 *
 * <p>During an outage a bucket lets nobody wait; a place that it granted before stays good. Windows
 * are awaited as the fallback counts them.
 *
 * <p>Thread-safe. It has threads while somebody waits, all of them daemons, and is to be closed.
 */
public final class Waits implements AutoCloseable {

  /** How many requests may have a {@linkplain #places place} at a time. */
  public static final int MOST_WAITING = 4_000;

  /** How long who cannot be told better is to stay away. */
  static final Duration SOON = Duration.ofSeconds(1);

  private static final Alarm ALARM_OF_LIMITERS = new AlarmThread("weir-waits");
  private static final Workers WORKERS_OF_LIMITERS = new Workers("weir-waiting");

  private final Holds holds;
  private final Lines lines;
  private final Set<Wait<?>> open;
  private final WaitingPlaces places;
  private final Runnable closing;
  private volatile boolean isClosed;

  /**
   * @param holds decides, and is not closed by this
   */
  public Waits(Holds holds) {
    this(holds, new AlarmThread("weir-waits"), new Workers("weir-waiting"));
  }

  private Waits(Holds holds, Alarm alarm, Workers workers) {
    this(
        holds,
        new Lines(alarm, workers),
        ConcurrentHashMap.newKeySet(),
        new WaitingPlaces(MOST_WAITING),
        () -> {
          alarm.close();
          workers.close();
        });
  }

  /** With lines of the caller's own; never closed. */
  Waits(Holds holds, Lines lines) {
    this(holds, lines, ConcurrentHashMap.newKeySet(), new WaitingPlaces(MOST_WAITING), () -> {});
  }

  private Waits(
      Holds holds, Lines lines, Set<Wait<?>> open, WaitingPlaces places, Runnable closing) {
    this.holds = Objects.requireNonNull(holds, "holds");
    this.lines = lines;
    this.open = open;
    this.places = places;
    this.closing = closing;
  }

  /** For limiters, which nobody closes: on threads that all of them share. */
  static Waits ofLimiter(Holds holds) {
    return new Waits(holds, new Lines(ALARM_OF_LIMITERS, WORKERS_OF_LIMITERS));
  }

  /** The same lines, where the store has so long for an answer. */
  Waits within(Duration deadline) {
    return new Waits(holds.within(deadline), lines, open, places, closing);
  }

  /** Decides at once, as {@link Holds#decide} does. */
  public Hold decide(Ask ask) {
    return holds.decide(ask);
  }

  /**
   * Decides, at once or later. The store is asked on this thread, by the ask's deadline, once or
   * twice; later on threads of this, where the future completes as well: what is done then holds up
   * nobody's turn, but one of a few threads, and must not block for long.
   *
   * <p>To complete the future in any way is to leave: what was granted and not used is given back,
   * if nobody was let in behind it. Who cancels it has given that back when {@code cancel} returns;
   * but what he asks the store for just then is given back when that has answered, and nobody
   * behind him in line asks before.
   *
   * @param ask for exactly its charges
   * @param waitedFor those of its counters that are worth waiting for: what another denies is
   *     denied at once
   * @param maxWait how long to wait at most, at least zero; a store that is slow to decide may take
   *     its deadline on top
   * @return the decision; when it is allowed, it is to be used now, and closed in the end
   * @throws IllegalArgumentException when maxWait is negative, or the terms are others
   */
  public CompletableFuture<Hold> decide(Ask ask, Set<Counter> waitedFor, Duration maxWait) {
    List<Charge> waited =
        ask.charges().stream()
            .filter(charge -> waitedFor.stream().anyMatch(charge.counter()::isSameAs))
            .toList();
    if (!(ask.terms() instanceof Terms.Exactly || ask.terms() instanceof Terms.Precisely)) {
      throw Expect.failure("terms", ask.terms(), "Exactly or Precisely");
    }
    if (waited.isEmpty()) {
      return CompletableFuture.completedFuture(decide(ask));
    }
    return begin(ask, waited, new Terms.Within(maxWait).maxWait(), Function.identity());
  }

  /** The same for all of its charges, told in another form. */
  <T> CompletableFuture<T> decide(Ask ask, Duration maxWait, Function<Hold, T> form) {
    return begin(ask, ask.charges(), new Terms.Within(maxWait).maxWait(), form);
  }

  private <T> CompletableFuture<T> begin(
      Ask ask, List<Charge> waitedFor, Duration maxWait, Function<Hold, T> form) {
    if (isClosed) {
      return CompletableFuture.completedFuture(form.apply(decide(ask)));
    }
    Wait<T> wait =
        WaitInStore.serves(ask)
            ? new WaitInStore<>(this, ask, maxWait, form)
            : new WaitInLine<>(this, ask, waitedFor, maxWait, form);
    CompletableFuture<T> answer = wait.begin();
    if (isClosed) {
      wait.abandon();
    }
    return answer;
  }

  /**
   * The places of what waits here. A caller that must bound them takes one before each wait, and
   * leaves it afterwards; nothing else counts them.
   */
  public WaitingPlaces places() {
    return places;
  }

  /** How many are being decided now, nearly all of whom wait. */
  public int waiting() {
    return open.size();
  }

  /**
   * Lets nobody wait any more: who waits is refused, and what he was granted in advance stays
   * spent. Closing twice is closing once.
   */
  @Override
  public void close() {
    isClosed = true;
    open.forEach(Wait::abandon);
    closing.run();
  }

  Lines lines() {
    return lines;
  }

  Duration deadline() {
    return holds.deadline();
  }

  long nanoTime() {
    return holds.nanoTime();
  }

  void entered(Wait<?> wait) {
    open.add(wait);
  }

  void left(Wait<?> wait) {
    open.remove(wait);
  }

  /** Gives back what nobody has used. */
  void undo(Hold unused) {
    unused.close();
    if (unused.decision() instanceof Decision.Counted counted) {
      giveBack(counted.receipt().consumed());
    }
  }

  private void giveBack(Receipt consumed) {
    if (consumed.grants().isEmpty()) {
      return;
    }
    try {
      holds.amend(new Amendment.GiveBack(consumed));
    } catch (StoreUnavailableException lost) {
      // it only under-admits, and must not be made twice
    } catch (RuntimeException bug) {
      holds.failed("what a wait was granted could not be given back", bug);
    }
  }
}
