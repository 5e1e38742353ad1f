package dev.weir.redis;

import dev.weir.limit.SlidingWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a sliding window admits (P3). In any window of its length, wherever it begins, it is at most
 * the quota and what was refunded within it. The larger quota in the shorter length applies while
 * they change (P13), by the highest time of any clock (P9).
 */
final class SlidingPromise implements Promise {

  /** The number of fields before the counts. */
  private static final int HEADER = 4;

  private record Grant(long passed, long permits, SlidingWindow limit, long returned) {}

  @Override
  public void check(List<Replied> answers) {
    Count count = new Count();
    for (int i = 0; i < answers.size(); i++) {
      Replied replied = answers.get(i);
      if (replied.step() instanceof Step.Overwrite) {
        count = new Count();
      } else if (replied.isWritten()) {
        count.written(replied, i);
      }
    }
  }

  private static long width(SlidingWindow limit) {
    return TimeUnit.MICROSECONDS.convert(limit.subWindow());
  }

  /** The count from one loss of the state to the next. */
  private static final class Count {

    private final Passing time = new Passing();
    private final List<Grant> grants = new ArrayList<>();
    private long returned;

    void written(Replied replied, int i) {
      if (!(replied.step() instanceof Step.ByLimit step)) {
        return; // a block
      }
      SlidingWindow limit = (SlidingWindow) step.limit();
      pass(step.now(), step.stepsBack(), limit, replied.before());
      boolean isGrant = step instanceof Step.Decide && replied.isGrant();
      granted(isGrant ? ((Step.Decide) step).permits() : 0, limit, replied, i);
      if (step instanceof Step.Refund back) {
        returned += back.permits();
      } else if (step instanceof Step.Reward reward) {
        returned += reward.permits();
      }
    }

    /**
     * Follows the clock, as far as the stored state shows it. The state does not show it after a
     * refund, when an adjustment has dropped it, or after a move into other sub-windows. If a clock
     * is behind and the state does not show that, or the clock has jumped, a new count begins.
     */
    private void pass(long now, boolean stepsBack, SlidingWindow limit, String before) {
      long width = width(limit);
      long newest = newest(before, width);
      boolean jumped = stepsBack && newest - now / width > limit.subWindows() + 1;
      if (time.highest() > now && (jumped || newest != time.highest() / width)) {
        grants.clear();
        time.at(now, 0);
      }
      time.at(now, Long.MAX_VALUE / 2);
    }

    /** Returns the newest sub-window of that width with any permits; -1 where none is stored. */
    private static long newest(String state, long width) {
      String[] parts = Replied.own(state).split(":", -1);
      int last = parts.length - 1;
      while (last >= HEADER && parts[last].equals("0")) {
        last--;
      }
      boolean tells = last >= HEADER && parts[0].equals(Long.toString(width));
      return tells ? Long.parseLong(parts[1]) + last - HEADER : -1;
    }

    /**
     * Checks a grant. Every write, even of no permits, drops what does not count by its numbers.
     */
    private void granted(long permits, SlidingWindow limit, Replied replied, int i) {
      Grant last = new Grant(time.passed(), permits, limit, returned);
      grants.add(last);
      long quota = 0;
      long length = Long.MAX_VALUE;
      long excess = 0;
      for (int from = grants.size() - 1; from >= 0; from--) {
        Grant first = grants.get(from);
        length = Math.min(length, TimeUnit.MICROSECONDS.convert(first.limit().length()));
        if (last.passed() - first.passed() >= length) {
          return;
        }
        quota = Math.max(quota, first.limit().quota());
        excess += first.permits();
        Promise.require(
            excess - (last.returned() - first.returned()) <= quota,
            "P3: admits no more in any window",
            i,
            replied);
      }
    }
  }
}
