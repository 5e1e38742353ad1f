package dev.weir.redis;

import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a concurrency limit grants: never more permits than its number are held at once. A permit is
 * held until its ttl ends or it is released. The limit of the grant applies (P13). When the clock
 * has jumped back, permits last for a ttl from then (P9).
 */
final class HoldPromise implements Promise {

  private record Held(long id, long permits, long ends) {}

  @Override
  public void check(List<Replied> answers) {
    Count count = new Count();
    for (int i = 0; i < answers.size(); i++) {
      Replied replied = answers.get(i);
      if (replied.step() instanceof Step.Overwrite) {
        count = new Count();
      } else if (replied.isWritten()) { // a peek forgets nothing
        count.written(replied, i);
      }
    }
  }

  /** The count from one loss of the state to the next. */
  private static final class Count {

    private List<Held> held = new ArrayList<>();
    private long longest;

    void written(Replied replied, int i) {
      if (replied.step() instanceof Step.Decide decide) {
        held = at(decide.now(), decide.stepsBack(), longest, held);
        longest = held.isEmpty() ? 0 : longest;
        if (replied.isGrant()) {
          granted(decide, replied, i);
        }
      } else if (replied.step() instanceof Step.Refund back) {
        held = at(back.now(), back.stepsBack(), longest, held);
        held.removeIf(hold -> hold.id == back.stamp());
      } else if (replied.step() instanceof Step.Renew renew) {
        held = at(renew.now(), renew.stepsBack(), longest, held);
        longest = Math.max(longest, ttl(renew.limit()));
        renew(held, renew);
      } else if (replied.step() instanceof Step.Unblock unblock) {
        held = at(unblock.now(), unblock.stepsBack(), longest, held);
      }
    }

    private void granted(Step.Decide decide, Replied replied, int i) {
      longest = Math.max(longest, ttl(decide.limit()));
      long ends = decide.now() + ttl(decide.limit());
      held.add(new Held(replied.reply().stamp(), decide.permits(), ends));
      Promise.require(
          held.stream().mapToLong(Held::permits).sum() <= decide.limit().capacity(),
          "never more are held",
          i,
          replied);
    }
  }

  private static void renew(List<Held> held, Step.Renew renew) {
    long ends = renew.now() + ttl(renew.limit());
    held.replaceAll(
        hold ->
            hold.id == renew.stamp()
                ? new Held(hold.id, hold.permits, Math.max(hold.ends, ends))
                : hold);
  }

  private static List<Held> at(long now, boolean stepsBack, long longest, List<Held> held) {
    List<Held> live = new ArrayList<>(held);
    live.removeIf(hold -> hold.ends <= now);
    if (stepsBack && live.stream().anyMatch(hold -> hold.ends - now > 2 * longest)) {
      live.replaceAll(hold -> new Held(hold.id, hold.permits, Math.min(hold.ends, now + longest)));
    }
    return live;
  }

  private static long ttl(Limit limit) {
    return TimeUnit.MICROSECONDS.convert(((Concurrency) limit).ttl());
  }
}
