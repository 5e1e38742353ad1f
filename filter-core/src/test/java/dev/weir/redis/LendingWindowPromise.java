package dev.weir.redis;

import dev.weir.limit.FixedWindow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a fixed window and all its leases admit together. In each window it is at most the quota, or
 * the larger one while it changes, and what was refunded (P2, P12). Leased permits are spent in the
 * window that lent them and returned to no other. They are lent as the essay says.
 */
final class LendingWindowPromise implements Promise {

  /** What was admitted in one window, less refunds. */
  private static final class Window {
    private long admitted;
    private long most;
  }

  private static final class Count {

    private final Map<Long, Window> windows = new HashMap<>();
    private final Map<Integer, Long> leased = new HashMap<>();
    private final Map<Integer, Long> told = new HashMap<>();

    private Window window(long ends) {
      return windows.computeIfAbsent(ends, any -> new Window());
    }

    private void admit(long ends, long permits, Answered answered, int i) {
      Window window = window(ends);
      window.admitted += permits;
      Promise.require(
          window.admitted <= window.most,
          "P12: all together admit no more in a window",
          i,
          answered);
    }
  }

  @Override
  public void check(List<Answered> answers) {
    Count count = new Count();
    for (int i = 0; i < answers.size(); i++) {
      Answered answered = answers.get(i);
      if (answered.step() instanceof Step.Overwrite || isRedated(answered)) {
        count = new Count();
      } else {
        follow(count, answered, i);
      }
    }
  }

  /**
   * Returns whether a clock has jumped back by more than two windows, which gives it another end.
   */
  private static boolean isRedated(Answered answered) {
    return answered.step() instanceof Step.Decide decide
        && answered.reply().ttl() > 0
        && end(answered.before()) > decide.now()
        && end(answered.before()) != end(answered.reply().state());
  }

  private static void follow(Count count, Answered answered, int i) {
    if (answered.step() instanceof Step.Decide decide && answered.isGrant()) {
      long ends = answered.reply().stamp();
      count.window(ends).most = Math.max(count.window(ends).most, decide.limit().capacity());
      count.admit(ends, decide.permits(), answered, i);
    } else if (isReturn(answered.step()) && answered.isWritten()) {
      String after = answered.reply().state();
      count.window(end(after)).admitted -= used(answered.before()) - used(after);
    } else if (answered.step() instanceof Step.Renewal renewal) {
      renewed(count, RenewalAnswer.of(renewal, answered), answered, i);
    } else if (answered.step() instanceof Step.Arrival arrival) {
      Long ends = count.told.remove(arrival.node());
      if (ends != null) {
        count.leased.put(arrival.node(), ends);
      }
    } else if (answered.step() instanceof Step.Spend spend && answered.spent() > 0) {
      Long ends = count.leased.get(spend.node());
      if (ends != null) { // else from before the count began
        Promise.require(spend.now() < ends, "P12: spent in the window that lent", i, answered);
        count.admit(ends, answered.spent(), answered, i);
      }
    }
  }

  private static boolean isReturn(Step step) {
    return step instanceof Step.Refund || step instanceof Step.Reward;
  }

  private static void renewed(Count count, RenewalAnswer told, Answered answered, int i) {
    Step.Renewal step = told.step();
    FixedWindow limit = (FixedWindow) step.limit();
    long before = end(answered.before());
    boolean lasts = before > step.now();
    count.told.put(step.node(), told.ends());
    count.window(told.ends()).most = Math.max(count.window(told.ends()).most, limit.quota());
    Promise.require(
        told.carried() == (lasts && told.name() == before),
        "P12: carries on in its window",
        i,
        answered);
    Promise.require(!lasts || told.ends() == before, "P12: of the window in use", i, answered);
    Promise.require(
        told.length() == Math.min(told.ends(), LeasedState.end(step.now())) - step.now(),
        "P12: ends with the window",
        i,
        answered);
    long most = Math.min((told.remaining() + told.lent()) / 2, limit.quota() / 4);
    Promise.require(
        told.lent() == Math.min(step.wanted(), most), "P12: lends no more", i, answered);
    if (answered.reply().ttl() > 0) {
      long back = told.carried() ? told.back() : 0;
      long used = Math.max(0, (lasts ? used(answered.before()) : 0) - back) + told.lent();
      Promise.require(
          used == used(answered.reply().state()), "P12: counts what is leased", i, answered);
      Promise.require(
          answered.reply().ttl() * 1_000 >= told.ends() - step.now(), "P10: lives", i, answered);
    }
  }

  private static long end(String state) {
    String own = Answered.own(state);
    return own.isEmpty() ? 0 : Long.parseLong(own.substring(own.indexOf(':') + 1));
  }

  private static long used(String state) {
    String own = Answered.own(state);
    return own.isEmpty() ? 0 : Long.parseLong(own.substring(0, own.indexOf(':')));
  }
}
