package dev.weir.redis;

import dev.weir.fixture.Units;
import dev.weir.limit.TokenBucket;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a bucket that lends promises in addition to the promises of every limit. Each renewal
 * settles and lends exactly as its essay says, and leaves neither more nor less. No more than a
 * quarter of the burst is out. A key outlives its leases and its debt. {@link LeaseCount} checks
 * what all nodes admit together.
 */
final class LeasePromise implements Promise {

  @Override
  public void check(List<Replied> answers) {
    for (int i = 0; i < answers.size(); i++) {
      Replied replied = answers.get(i);
      if (replied.step() instanceof Step.Renewal renewal) {
        checkRenewal(RenewalAnswer.of(renewal, replied), replied, i);
        checkLeft(renewal, replied, i);
      } else if (replied.step() instanceof Step.Decide decide) {
        checkDecided(decide, replied, i);
      } else if (replied.step() instanceof Step.Reset reset) {
        LeasedState live = LeasedState.of(replied.before()).live(reset.now(), reset.stepsBack());
        LeasedState kept = LeasedState.of(replied.reply().state());
        Promise.require(
            live.isOut(kept) && kept.debt() == kept.units() * kept.out() && !kept.waits(),
            "P12: a reset keeps what is out, and no more",
            i,
            replied);
      } else if (replied.step() instanceof Step.Unblock unblock) {
        checkUnblocked(unblock, replied, i);
      }
    }
    new LeaseCount().check(answers);
  }

  /** Checks that only a block is gone, and that the key lives no longer than it must. */
  private static void checkUnblocked(Step.Unblock step, Replied replied, int i) {
    Step.Reply reply = replied.reply();
    LeasedState before = LeasedState.of(replied.before()).live(step.now(), step.stepsBack());
    LeasedState after = LeasedState.of(reply.state()).live(step.now(), step.stepsBack());
    Promise.require(before.isOut(after), "P12: what is out stays so", i, replied);
    Promise.require(
        isBlocked(replied.before(), step.now())
            ? !reply.state().startsWith("!")
            : reply.ttl() == 0 && reply.state().equals(replied.before()),
        "P12: a block is lifted, and nothing else",
        i,
        replied);
    long outMicros = after.out() == 0 ? 0 : after.endMicros() - step.now();
    Promise.require(reply.ttl() == 0 || reply.ttl() * 1_000 >= outMicros, "P10: lives", i, replied);
    TokenBucket limit = (TokenBucket) step.limit();
    if (isPlain(reply.state(), limit, step.now(), step.stepsBack())) {
      // what was charged by other numbers stays a debt, which may be more than this burst
      long full = TimeUnit.MICROSECONDS.convert(limit.timeToFull());
      long paidMicros = after.paidMicros(Units.of(limit)) - step.now();
      long longest = Math.max(paidMicros, outMicros + full) + Units.of(limit).tickMicros();
      Promise.require(
          reply.ttl() * 1_000 <= longest + 1_001_000, "P10: lives no longer", i, replied);
    }
  }

  private static void checkRenewal(RenewalAnswer reported, Replied replied, int i) {
    Step.Renewal step = reported.step();
    long burst = step.limit().capacity();
    LeasedState before = LeasedState.of(replied.before()).live(step.now(), step.stepsBack());
    LeasedState after = LeasedState.of(replied.reply().state());
    boolean alive = isAlive(reported, replied.before());
    boolean canEnd = before.until(LeasedState.end(step.now())) >= 0;
    Promise.require(
        reported.ends() == LeasedState.end(step.now())
            && reported.length() == reported.ends() - step.now(),
        "P12: ends on the grid",
        i,
        replied);
    Promise.require(
        reported.carried() == (alive && canEnd && reported.kept() > 0),
        "P12: carries on what is alive",
        i,
        replied);
    Promise.require(
        !isBlocked(replied.before(), step.now())
            || (reported.lent() == 0 && replied.reply().state().startsWith("!")),
        "P12: what is blocked lends nothing, and stays so",
        i,
        replied);
    LeasedState settled =
        before.renewed(
            alive ? reported.name() : -1, reported.out(), reported.kept(), 0, step.now());
    long room = burst / 4 - settled.out();
    long half = (reported.remaining() + reported.lent()) / 2;
    boolean canLend = settled.until(LeasedState.end(step.now())) >= 0;
    long most = canLend ? Math.max(0, Math.min(step.wanted(), Math.min(half, room))) : 0;
    Promise.require(reported.lent() == most, "P12: lends " + most, i, replied);
    if (replied.reply().ttl() == 0) {
      Promise.require(!alive && reported.lent() == 0, "P12: is written", i, replied);
      return;
    }
    Promise.require(
        settled.renewed(-1, 0, 0, reported.lent(), step.now()).isOut(after),
        "P12: what is out",
        i,
        replied);
    Promise.require(
        after.debt() >= Math.min(after.out(), burst) * after.units(),
        "P12: owes what is out",
        i,
        replied);
    requireLife(after, step.now(), replied, i);
  }

  private static boolean isBlocked(String state, long now) {
    return state.startsWith("!") && Long.parseLong(state.substring(1, state.indexOf(':'))) > now;
  }

  /** Returns whether the lease that is settled has not ended. */
  private static boolean isAlive(RenewalAnswer reported, String state) {
    LeasedState stored = LeasedState.of(state);
    Step.Renewal step = reported.step();
    return stored.cell() >= 0
        && stored.live(step.now(), step.stepsBack()).until(reported.name()) >= reported.out();
  }

  /** Checks that the rest is the rest before, less what was lent, plus what was returned. */
  private static void checkLeft(Step.Renewal step, Replied replied, int i) {
    RenewalAnswer reported = RenewalAnswer.of(step, replied);
    LeasedState before = LeasedState.of(replied.before());
    boolean takesBack = isAlive(reported, replied.before());
    TokenBucket limit = (TokenBucket) step.limit();
    if (isPlain(replied.before(), limit, step.now(), step.stepsBack())) {
      long left = before.remaining(step.now(), Units.of(limit), limit.burst());
      long back = takesBack ? reported.back() : 0;
      Promise.require(
          (left == 0 && reported.remaining() + reported.lent() <= back)
              || reported.remaining() == left + back - reported.lent(),
          "P12: leaves what it does not lend",
          i,
          replied);
    }
  }

  private static void checkDecided(Step.Decide step, Replied replied, int i) {
    TokenBucket limit = (TokenBucket) step.limit();
    Step.Reply reply = replied.reply();
    if (step.patience() == 0
        && isPlain(replied.before(), limit, step.now(), step.stepsBack())
        && step.permits() <= limit.burst()) {
      long left =
          LeasedState.of(replied.before()).remaining(step.now(), Units.of(limit), limit.burst());
      Promise.require((reply.fits() == 1) == (step.permits() <= left), "P12: fits", i, replied);
      long taken = reply.fits() == 1 ? step.permits() : 0;
      Promise.require(reply.remaining() == left - taken, "P12: remains", i, replied);
    }
    if (reply.ttl() > 0) {
      LeasedState after = LeasedState.of(reply.state());
      requireLife(after, step.now(), replied, i);
      LeasedState before = LeasedState.of(replied.before()).live(step.now(), step.stepsBack());
      Promise.require(
          before.isOut(after.live(step.now(), step.stepsBack())),
          "P12: what is out stays so",
          i,
          replied);
    }
  }

  private static void requireLife(LeasedState after, long now, Replied replied, int i) {
    long outMicros = after.out() == 0 ? 0 : after.endMicros() - now;
    Promise.require(
        replied.reply().reset() >= outMicros
            && replied.reply().ttl() * 1_000 >= replied.reply().reset(),
        "P10: lives until nothing is out",
        i,
        replied);
  }

  /** Returns whether there is no block, no waiting request, no change of numbers and no jump. */
  private static boolean isPlain(String state, TokenBucket limit, long now, boolean stepsBack) {
    LeasedState stored = LeasedState.of(state);
    long full = TimeUnit.MICROSECONDS.convert(limit.timeToFull());
    return !state.startsWith("!")
        && stored.units() == Units.of(limit).q()
        && !stored.waits()
        && stored.atMicros() % Units.of(limit).tickMicros() == 0
        && (stored.atMicros() - now <= full
            && (stored.cell() <= now / LeasedState.GRID + 1 || !stepsBack));
  }
}
