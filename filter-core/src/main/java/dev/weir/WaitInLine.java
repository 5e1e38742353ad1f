package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A wait for what no store keeps a place for: windows, concurrency, several counters at once. Who
 * comes while nobody waits asks at once. Who is denied stands in this node's line; its first asks
 * again at retry-after, and everything is charged when he can run, so that no limit is charged
 * early.
 *
 * <p>Refused at once is whoever is denied by a counter that is not waited for, by one that has room
 * too late, or who has more before him than is ever granted in time. Who is not the first only
 * looks: nobody gets ahead of those before him, not even when his time is over.
 *
 * <p>One of a line asks at a time. Who leaves while his ask is on its way is answered at once, but
 * keeps his place until it has come back and what it was granted has been given back.
 */
final class WaitInLine<T> extends Wait<T> implements Lines.InLine {

  /**
   * What is held elsewhere may return at any time: as often is asked for it again, however soon the
   * next return is expected.
   */
  private static final Duration ASK_FOR_HELD = Duration.ofMillis(100);

  private static final Duration SOONEST = Duration.ofNanos(1_000);

  private final List<Charge> waitedFor;
  private Alarm.Pending next = Alarm.Pending.NONE;
  private Alarm.Pending end = Alarm.Pending.NONE;

  /** What he was told last, which is his answer when his time is over before his turn. */
  private volatile Decision denial = Decision.closed(Waits.SOON);

  private boolean isAsking;
  private boolean isToAskAgain;

  /**
   * @param waitedFor those of the ask's charges that are worth waiting for
   */
  WaitInLine(
      Waits waits, Ask ask, List<Charge> waitedFor, Duration maxWait, Function<Hold, T> form) {
    super(waits, ask, maxWait, form);
    this.waitedFor = waitedFor;
  }

  @Override
  public List<Charge> waitedFor() {
    return waitedFor;
  }

  @Override
  void arrive() {
    List<Long> ahead = waits().lines().ahead(waitedFor);
    if (ahead.isEmpty()) {
      askOrWait(ask());
    } else {
      look(ahead);
    }
  }

  /** He cannot run sooner than alone. */
  private void look(List<Long> ahead) {
    Decision look = peek(ask().deadline());
    denial = look;
    Optional<Duration> retry = look.allowed() ? Optional.of(Duration.ZERO) : retry(look);
    if (retry.isEmpty() || look instanceof Decision.ByPolicy) {
      answer(Hold.of(look));
    } else if (left().isZero() || isHopeless(ahead)) {
      answer(Hold.of(heldUp(look, left())));
    } else {
      lineUp(retry.get());
    }
  }

  private boolean isHopeless(List<Long> ahead) {
    Duration left = left();
    for (int i = 0; i < waitedFor.size(); i++) {
      Charge own = waitedFor.get(i);
      if (ahead.get(i) > Supply.most(own.counter().limit(), left) - own.permits()) {
        return true;
      }
    }
    return false;
  }

  private void lineUp(Duration retry) {
    boolean isFirst = waits().lines().join(this);
    endIn(left());
    if (isFirst) {
      askIn(retry);
    }
    if (isOver()) {
      leave();
    }
  }

  private void askOrWait(Ask ask) {
    Hold hold = waits().decide(ask);
    Optional<Duration> retry =
        hold.decision().allowed() ? Optional.empty() : retry(hold.decision());
    if (retry.isPresent()) {
      denial = hold.decision();
      wait(retry.get());
      return;
    }
    if (hold.isKept()) {
      hold.whenClosed(() -> waits().lines().cameBack(waitedFor));
    }
    answer(hold);
  }

  private void wait(Duration retry) {
    if (waits().lines().isFirst(this)) {
      askIn(retry);
    } else {
      lineUp(retry);
    }
  }

  /** Asks, unless that is being done; then again after it. */
  @Override
  public void turn() {
    if (isOver()) {
      leave(); // what is done with his answer may take long, and only then would he
      return;
    }
    if (!mayAsk()) {
      return;
    }
    guarded(() -> askOrWait(again(ask().terms())));
    boolean hasToAskAgain = hasToAskAgain();
    if (isOver()) {
      makeWay();
    } else if (hasToAskAgain) {
      waits().lines().soon(this::turn);
    }
  }

  private synchronized boolean mayAsk() {
    isToAskAgain = isAsking;
    boolean may = !isAsking;
    isAsking = true;
    return may;
  }

  private synchronized boolean hasToAskAgain() {
    isAsking = false;
    return isToAskAgain;
  }

  /** His time is over: if it is his turn he asks once more, otherwise he leaves. */
  private void expire() {
    if (waits().lines().isFirst(this)) {
      turn();
    } else if (!isOver()) {
      guarded(() -> answer(Hold.of(heldUp(denial, SOONEST))));
    }
  }

  /** When to ask again after a denial; empty when it is none to wait after. */
  private Optional<Duration> retry(Decision denial) {
    if (!(denial instanceof Decision.Counted counted)) {
      return Optional.empty();
    }
    Duration left = left();
    Duration longest = Duration.ZERO;
    for (Verdict verdict : counted.verdicts()) {
      if (verdict.fits()) {
        continue;
      }
      Optional<Duration> retry = isWaitedFor(verdict) ? retry(verdict, left) : Optional.empty();
      if (retry.isEmpty()) {
        return retry;
      }
      longest = longest.compareTo(retry.get()) > 0 ? longest : retry.get();
    }
    return Optional.of(longest);
  }

  private static Optional<Duration> retry(Verdict verdict, Duration left) {
    if (!(verdict.retry() instanceof Retry.After after)) {
      return Optional.empty();
    }
    if (verdict.counter().limit() instanceof Concurrency && !left.isZero()) {
      return Optional.of(ASK_FOR_HELD.compareTo(left) < 0 ? ASK_FOR_HELD : left);
    }
    return Optional.of(after.time()).filter(time -> time.compareTo(left) <= 0);
  }

  private boolean isWaitedFor(Verdict verdict) {
    return waitedFor.stream().anyMatch(charge -> charge.counter().isSameAs(verdict.counter()));
  }

  /** What room the counters have is for those before: they have it no sooner than after this. */
  private Decision heldUp(Decision look, Duration time) {
    if (!(look instanceof Decision.Counted counted)) {
      return look;
    }
    Retry later = new Retry.After(time.compareTo(SOONEST) > 0 ? time : SOONEST);
    List<Verdict> verdicts =
        counted.verdicts().stream()
            .map(one -> isWaitedFor(one) && isSooner(one, time) ? heldUp(one, later) : one)
            .toList();
    return Decision.counted(look.source(), verdicts, counted.receipt());
  }

  private static boolean isSooner(Verdict verdict, Duration time) {
    return verdict.fits()
        || (verdict.retry() instanceof Retry.After after && after.time().compareTo(time) < 0);
  }

  private static Verdict heldUp(Verdict verdict, Retry later) {
    return new Verdict(verdict.counter(), verdict.remaining(), later, verdict.resetAfter());
  }

  private Decision peek(Deadline deadline) {
    return waits().decide(asking(Terms.PEEK, deadline)).decision();
  }

  private Ask again(Terms terms) {
    return asking(terms, Deadline.after(waits().deadline()));
  }

  private Ask asking(Terms terms, Deadline deadline) {
    return new Ask(ask().charges(), terms, ask().onOutage(), deadline);
  }

  private synchronized void askIn(Duration time) {
    next.callOff();
    next = isOver() ? Alarm.Pending.NONE : waits().lines().in(time, this::turn);
  }

  private synchronized void endIn(Duration time) {
    end = waits().lines().in(time, this::expire);
  }

  private synchronized boolean isAsking() {
    return isAsking;
  }

  /** Who leaves while he asks keeps his place: the next one would be denied what is given back. */
  @Override
  void leave() {
    if (isAsking()) {
      callOff();
    } else {
      makeWay();
    }
  }

  @Override
  void makeWay() {
    callOff();
    waits().lines().leave(this);
  }

  private synchronized void callOff() {
    next.callOff();
    end.callOff();
  }

  /** The first in line is told, who may have been denied just that. */
  @Override
  void giveBack(Hold unused) {
    super.giveBack(unused);
    if (unused.decision().allowed()) {
      waits().lines().cameBack(waitedFor);
    }
  }
}
