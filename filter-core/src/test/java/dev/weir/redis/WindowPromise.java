package dev.weir.redis;

import dev.weir.limit.FixedWindow;
import dev.weir.limit.FixedWindow.FirstRequestWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a fixed window admits (P2). In each window it is at most the quota and what was refunded, or
 * the larger quota while it changes (P13). Where windows begin with a request, it is at most twice
 * that in any time of a window's length. The reason is that a window begins no sooner than the last
 * has ended, by the highest time of any clock (P9).
 */
final class WindowPromise implements Promise {

  private record Grant(long passed, long permits, long returned) {}

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

  /** The count from one loss of the state to the next. */
  private static final class Count {

    private final Passing time = new Passing();
    private final List<Grant> grants = new ArrayList<>();
    private long end;
    private long inWindow;
    private long most;
    private long returned;
    private @Nullable FixedWindow only;
    private boolean mixed;

    void written(Replied replied, int i) {
      if (replied.step() instanceof Step.Decide decide) {
        decided(decide, replied, i);
      } else if (replied.step() instanceof Step.Refund back) {
        returned += back.permits();
        inWindow -= back.permits();
      } else if (replied.step() instanceof Step.Reward reward) {
        returned += reward.permits();
        inWindow -= reward.permits();
      } else if (replied.step() instanceof Step.Owe owe && owe.now() >= end) {
        time.at(owe.now(), Long.MAX_VALUE / 2);
        end = endOf(replied.reply().state());
        inWindow = 0;
        most = 0;
      }
    }

    /** Returns the end; 0 where none is stored, but for a block before it. */
    private static long endOf(String state) {
      String own = Replied.own(state);
      return own.isEmpty() ? 0 : Long.parseLong(own.substring(own.indexOf(':') + 1));
    }

    private void decided(Step.Decide decide, Replied replied, int i) {
      FixedWindow limit = (FixedWindow) decide.limit();
      long length = TimeUnit.MICROSECONDS.convert(limit.window().longest());
      mixed = mixed || (only != null && !only.equals(limit));
      only = limit;
      Step.Reply reply = replied.reply();
      long ends = endOf(reply.state());
      boolean isBlocked = reply.stamp() < 0;
      Promise.require(isBlocked || reply.stamp() == ends, "P2: told as stored", i, replied);
      Promise.require(ends > decide.now(), "P2: in its window", i, replied);
      time.at(decide.now(), ends < end ? 0 : Long.MAX_VALUE / 2);
      if (decide.now() >= end) {
        inWindow = 0;
        most = 0;
        Promise.require(ends - decide.now() <= length, "P2: no longer than a window", i, replied);
      } else {
        Promise.require(ends == end || decide.stepsBack(), "P2: the window in use", i, replied);
      }
      end = ends;
      if (reply.fits() == 1) {
        granted(decide, limit, length, replied, i);
      }
    }

    private void granted(
        Step.Decide decide, FixedWindow limit, long length, Replied replied, int i) {
      most = Math.max(most, limit.quota());
      inWindow = Math.max(0, inWindow) + decide.permits();
      Promise.require(inWindow <= most, "P2: admits no more in a window", i, replied);
      Grant last = new Grant(time.passed(), decide.permits(), returned);
      grants.add(last);
      if (mixed || !(limit.window() instanceof FirstRequestWindow)) {
        return;
      }
      long excess = -limit.quota();
      for (int from = grants.size() - 1; from >= 0; from--) {
        Grant first = grants.get(from);
        if (last.passed() - first.passed() >= length) {
          return;
        }
        excess += first.permits();
        Promise.require(
            excess - (last.returned() - first.returned()) <= limit.quota(),
            "P2: admits no more than twice in any time so long",
            i,
            replied);
      }
    }
  }
}
