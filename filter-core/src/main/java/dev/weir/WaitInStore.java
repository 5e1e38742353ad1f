package dev.weir;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A wait for a limit that keeps places in the store: it is asked for once. What is granted takes
 * its place in the order of all nodes, and is used after its delay; or it is refused at once,
 * exactly when it would come too late.
 */
final class WaitInStore<T> extends Wait<T> {

  private final Duration maxWait;
  private volatile Alarm.Pending turn = Alarm.Pending.NONE;

  WaitInStore(Waits waits, Ask ask, Duration maxWait, Function<Hold, T> form) {
    super(waits, ask, maxWait, form);
    this.maxWait = maxWait;
  }

  static boolean serves(Ask ask) {
    Limit limit = ask.charges().get(0).counter().limit();
    return ask.charges().size() == 1
        && (limit instanceof TokenBucket || limit instanceof LeakyBucket);
  }

  @Override
  void arrive() {
    Ask within =
        new Ask(ask().charges(), new Terms.Within(maxWait), ask().onOutage(), ask().deadline());
    Hold hold = waits().decide(within);
    Duration delay = hold.decision().delay();
    if (delay.isZero()) {
      answer(hold);
      return;
    }
    keep(hold);
    turn = waits().lines().inTurn(delay, ask().charges(), () -> guarded(this::use));
    if (isOver()) {
      leave();
    }
  }

  private void use() {
    @Nullable Hold hold = takeKept();
    if (hold != null) {
      answer(hold);
    }
  }

  @Override
  void leave() {
    turn.callOff();
  }

  /** The store keeps the order. */
  @Override
  void makeWay() {}
}
