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
    private final Map<Integer, Long> reported = new HashMap<>();

    private Window window(long ends) {
      return windows.computeIfAbsent(ends, any -> new Window());
    }

    private void admit(long ends, long permits, Replied replied, int i) {
      Window window = window(ends);
      window.admitted += permits;
      Promise.require(
          window.admitted <= window.most,
          "P12: all together admit no more in a window",
          i,
          replied);
    }
  }

  @Override
  public void check(List<Replied> answers) {
    Count count = new Count();
    for (int i = 0; i < answers.size(); i++) {
      Replied replied = answers.get(i);
      if (replied.step() instanceof Step.Overwrite || isRedated(replied)) {
        count = new Count();
      } else {
        follow(count, replied, i);
      }
    }
  }

  /**
   * Returns whether a clock has jumped back by more than two windows, which gives it another end.
   */
  private static boolean isRedated(Replied replied) {
    boolean mayRedate =
        replied.step() instanceof Step.Decide || replied.step() instanceof Step.Unblock;
    return mayRedate
        && replied.reply().ttl() > 0
        && end(replied.before()) > ((Step.ByLimit) replied.step()).now()
        && end(replied.before()) != end(replied.reply().state());
  }

  private static void follow(Count count, Replied replied, int i) {
    if (replied.step() instanceof Step.Decide decide && replied.isGrant()) {
      long ends = replied.reply().stamp();
      count.window(ends).most = Math.max(count.window(ends).most, decide.limit().capacity());
      count.admit(ends, decide.permits(), replied, i);
    } else if (isReturn(replied.step()) && replied.isWritten()) {
      String after = replied.reply().state();
      count.window(end(after)).admitted -= used(replied.before()) - used(after);
    } else if (replied.step() instanceof Step.Renewal renewal) {
      renewed(count, RenewalAnswer.of(renewal, replied), replied, i);
    } else if (replied.step() instanceof Step.Arrival arrival) {
      Long ends = count.reported.remove(arrival.node());
      if (ends != null) {
        count.leased.put(arrival.node(), ends);
      }
    } else if (replied.step() instanceof Step.Spend spend && replied.spent() > 0) {
      Long ends = count.leased.get(spend.node());
      if (ends != null) { // else from before the count began
        Promise.require(spend.now() < ends, "P12: spent in the window that lent", i, replied);
        count.admit(ends, replied.spent(), replied, i);
      }
    }
  }

  private static boolean isReturn(Step step) {
    return step instanceof Step.Refund || step instanceof Step.Reward;
  }

  private static void renewed(Count count, RenewalAnswer reported, Replied replied, int i) {
    Step.Renewal step = reported.step();
    FixedWindow limit = (FixedWindow) step.limit();
    long before = end(replied.before());
    boolean lasts = before > step.now();
    count.reported.put(step.node(), reported.ends());
    count.window(reported.ends()).most =
        Math.max(count.window(reported.ends()).most, limit.quota());
    Promise.require(
        reported.carried() == (lasts && reported.name() == before),
        "P12: carries on in its window",
        i,
        replied);
    Promise.require(!lasts || reported.ends() == before, "P12: of the window in use", i, replied);
    Promise.require(
        reported.length() == Math.min(reported.ends(), LeasedState.end(step.now())) - step.now(),
        "P12: ends with the window",
        i,
        replied);
    long most = Math.min((reported.remaining() + reported.lent()) / 2, limit.quota() / 4);
    Promise.require(
        reported.lent() == Math.min(step.wanted(), most), "P12: lends no more", i, replied);
    if (replied.reply().ttl() > 0) {
      long back = reported.carried() ? reported.back() : 0;
      long used = Math.max(0, (lasts ? used(replied.before()) : 0) - back) + reported.lent();
      Promise.require(
          used == used(replied.reply().state()), "P12: counts what is leased", i, replied);
      Promise.require(
          replied.reply().ttl() * 1_000 >= reported.ends() - step.now(), "P10: lives", i, replied);
    }
  }

  private static long end(String state) {
    String own = Replied.own(state);
    return own.isEmpty() ? 0 : Long.parseLong(own.substring(own.indexOf(':') + 1));
  }

  private static long used(String state) {
    String own = Replied.own(state);
    return own.isEmpty() ? 0 : Long.parseLong(own.substring(0, own.indexOf(':')));
  }
}
