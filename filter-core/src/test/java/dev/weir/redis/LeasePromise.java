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
  public void check(List<Answered> answers) {
    for (int i = 0; i < answers.size(); i++) {
      Answered answered = answers.get(i);
      if (answered.step() instanceof Step.Renewal renewal) {
        checkRenewal(RenewalAnswer.of(renewal, answered), answered, i);
        checkLeft(renewal, answered, i);
      } else if (answered.step() instanceof Step.Decide decide) {
        checkDecided(decide, answered, i);
      } else if (answered.step() instanceof Step.Reset reset) {
        LeasedState live = LeasedState.of(answered.before()).live(reset.now(), reset.stepsBack());
        LeasedState kept = LeasedState.of(answered.reply().state());
        Promise.require(
            live.isOut(kept) && kept.debt() == kept.units() * kept.out() && !kept.waits(),
            "P12: a reset keeps what is out, and no more",
            i,
            answered);
      }
    }
    new LeaseCount().check(answers);
  }

  private static void checkRenewal(RenewalAnswer told, Answered answered, int i) {
    Step.Renewal step = told.step();
    long burst = step.limit().capacity();
    LeasedState before = LeasedState.of(answered.before()).live(step.now(), step.stepsBack());
    LeasedState after = LeasedState.of(answered.reply().state());
    boolean alive = isAlive(told, answered.before());
    boolean canEnd = before.until(LeasedState.end(step.now())) >= 0;
    Promise.require(
        told.ends() == LeasedState.end(step.now()) && told.length() == told.ends() - step.now(),
        "P12: ends on the grid",
        i,
        answered);
    Promise.require(
        told.carried() == (alive && canEnd && told.kept() > 0),
        "P12: carries on what is alive",
        i,
        answered);
    Promise.require(
        !isBlocked(answered.before(), step.now())
            || (told.lent() == 0 && answered.reply().state().startsWith("!")),
        "P12: what is blocked lends nothing, and stays so",
        i,
        answered);
    LeasedState settled =
        before.renewed(alive ? told.name() : -1, told.out(), told.kept(), 0, step.now());
    long room = burst / 4 - settled.out();
    long half = (told.remaining() + told.lent()) / 2;
    boolean canLend = settled.until(LeasedState.end(step.now())) >= 0;
    long most = canLend ? Math.max(0, Math.min(step.wanted(), Math.min(half, room))) : 0;
    Promise.require(told.lent() == most, "P12: lends " + most, i, answered);
    if (answered.reply().ttl() == 0) {
      Promise.require(!alive && told.lent() == 0, "P12: is written", i, answered);
      return;
    }
    Promise.require(
        settled.renewed(-1, 0, 0, told.lent(), step.now()).isOut(after),
        "P12: what is out",
        i,
        answered);
    Promise.require(
        after.debt() >= Math.min(after.out(), burst) * after.units(),
        "P12: owes what is out",
        i,
        answered);
    requireLife(after, step.now(), answered, i);
  }

  private static boolean isBlocked(String state, long now) {
    return state.startsWith("!") && Long.parseLong(state.substring(1, state.indexOf(':'))) > now;
  }

  /** Returns whether the lease that is settled has not ended. */
  private static boolean isAlive(RenewalAnswer told, String state) {
    LeasedState stored = LeasedState.of(state);
    Step.Renewal step = told.step();
    return stored.cell() >= 0
        && stored.live(step.now(), step.stepsBack()).until(told.name()) >= told.out();
  }

  /** Checks that the rest is the rest before, less what was lent, plus what was returned. */
  private static void checkLeft(Step.Renewal step, Answered answered, int i) {
    RenewalAnswer told = RenewalAnswer.of(step, answered);
    LeasedState before = LeasedState.of(answered.before());
    boolean takesBack = isAlive(told, answered.before());
    TokenBucket limit = (TokenBucket) step.limit();
    if (isPlain(answered.before(), limit, step.now(), step.stepsBack())) {
      long left = before.remaining(step.now(), Units.of(limit), limit.burst());
      long back = takesBack ? told.back() : 0;
      Promise.require(
          (left == 0 && told.remaining() + told.lent() <= back)
              || told.remaining() == left + back - told.lent(),
          "P12: leaves what it does not lend",
          i,
          answered);
    }
  }

  private static void checkDecided(Step.Decide step, Answered answered, int i) {
    TokenBucket limit = (TokenBucket) step.limit();
    Step.Reply reply = answered.reply();
    if (step.patience() == 0
        && isPlain(answered.before(), limit, step.now(), step.stepsBack())
        && step.permits() <= limit.burst()) {
      long left =
          LeasedState.of(answered.before()).remaining(step.now(), Units.of(limit), limit.burst());
      Promise.require((reply.fits() == 1) == (step.permits() <= left), "P12: fits", i, answered);
      long taken = reply.fits() == 1 ? step.permits() : 0;
      Promise.require(reply.remaining() == left - taken, "P12: remains", i, answered);
    }
    if (reply.ttl() > 0) {
      LeasedState after = LeasedState.of(reply.state());
      requireLife(after, step.now(), answered, i);
      LeasedState before = LeasedState.of(answered.before()).live(step.now(), step.stepsBack());
      Promise.require(
          before.isOut(after.live(step.now(), step.stepsBack())),
          "P12: what is out stays so",
          i,
          answered);
    }
  }

  private static void requireLife(LeasedState after, long now, Answered answered, int i) {
    long end = after.second() > 0 ? after.cell() + 2 : after.cell() + 1;
    long outMicros = after.out() == 0 ? 0 : end * LeasedState.GRID - now;
    Promise.require(
        answered.reply().reset() >= outMicros
            && answered.reply().ttl() * 1_000 >= answered.reply().reset(),
        "P10: lives until nothing is out",
        i,
        answered);
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
