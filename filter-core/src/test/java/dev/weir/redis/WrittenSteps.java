package dev.weir.redis;

import dev.weir.limit.Limit;
import java.util.List;

/**
 * Follows what was written of one counter: each step with its time and its limit. It begins again
 * with each loss of the state.
 */
abstract class WrittenSteps implements Promise {

  private Passing time = new Passing();

  @Override
  public final void check(List<Replied> answers) {
    for (int i = 0; i < answers.size(); i++) {
      Replied replied = answers.get(i);
      if (replied.step() instanceof Step.Overwrite) {
        time = new Passing();
        lost();
      } else if (replied.isWritten()) {
        written(replied, i);
      }
    }
  }

  private void written(Replied replied, int i) {
    if (replied.step() instanceof Step.ByLimit step) {
      pass(step.now(), step.stepsBack(), step.limit());
    }
    if (replied.step() instanceof Step.Decide decide && replied.isGrant()) {
      granted(decide, replied, i);
    } else if (replied.step() instanceof Step.Refund back) {
      gaveBack(back);
    } else if (replied.step() instanceof Step.Reward reward) {
      rewarded(reward);
    }
  }

  /** Returns the time that has passed for the counter. */
  final Passing time() {
    return time;
  }

  abstract void lost();

  /** Notes that time may have passed; called before any of the others. */
  abstract void pass(long now, boolean stepsBack, Limit limit);

  abstract void granted(Step.Decide decide, Replied replied, int i);

  abstract void gaveBack(Step.Refund back);

  abstract void rewarded(Step.Reward reward);
}
