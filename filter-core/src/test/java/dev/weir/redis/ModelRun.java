package dev.weir.redis;

import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A trace as it is made up: its steps, and the answers and states of a limit's model behind a
 * block.
 */
final class ModelRun<M extends LimitModel<M>> {

  final List<Step> steps = new ArrayList<>();
  final List<Step.Reply> expected = new ArrayList<>();
  private final M none;
  private M model;
  private BlockModel block = BlockModel.NONE;
  private String state = "";

  ModelRun(M none) {
    this.none = none;
    this.model = none;
  }

  /** Takes the same step again. */
  void apply(Step step) {
    if (step instanceof Step.Decide decide) {
      decide(decide);
    } else if (step instanceof Step.Refund back) {
      refund(back);
    } else if (step instanceof Step.Reward reward) {
      reward(reward);
    } else if (step instanceof Step.Owe owe) {
      owe(owe);
    } else if (step instanceof Step.Renew renew) {
      renew(renew);
    } else if (step instanceof Step.Block block) {
      block(block);
    } else if (step instanceof Step.Unblock unblock) {
      unblock(unblock);
    } else {
      lose();
    }
  }

  M model() {
    return model;
  }

  /** Follows numbers that change with the request, whatever its result. */
  void follow(Limit limit, long now) {
    model = model.follow(limit, now).orElse(model);
  }

  /** Returns the answer, without the state. */
  Step.Reply decide(Step.Decide step) {
    BlockModel holding = block.at(step.now(), step.stepsBack());
    Step.Reply reply = holding.equals(BlockModel.NONE) ? take(step) : denial(step, holding);
    if (reply.ttl() > 0) {
      block = holding;
    }
    add(step, reply, reply.ttl());
    return reply;
  }

  /** Returns what a decision would answer; nothing is taken. */
  Step.Reply refresh(Step.Decide step) {
    M before = model;
    BlockModel blockBefore = block;
    String stateBefore = state;
    Step.Reply reply = decide(step);
    model = before;
    block = blockBefore;
    state = stateBefore;
    steps.remove(steps.size() - 1);
    expected.remove(expected.size() - 1);
    return reply;
  }

  private Step.Reply denial(Step.Decide step, BlockModel holding) {
    boolean fits = model.decide(step).reply().fits() > 0;
    long requested = fits ? 0 : step.permits();
    Step.Reply own =
        take(
            new Step.Decide(
                step.now(), step.stepsBack(), step.limit(), requested, step.patience()));
    return holding.over(own, step.now(), !holding.equals(block));
  }

  private Step.Reply take(Step.Decide step) {
    LimitModel.Outcome<M> outcome = model.decide(step);
    model = outcome.next();
    if (outcome.reply().ttl() > 0) {
      state = model.state(step.limit());
    }
    return outcome.reply();
  }

  void refund(Step.Refund step) {
    change(step, step.now(), step.stepsBack(), step.limit(), model.refund(step));
  }

  void reward(Step.Reward step) {
    change(step, step.now(), step.stepsBack(), step.limit(), model.reward(step));
  }

  void owe(Step.Owe step) {
    change(step, step.now(), step.stepsBack(), step.limit(), model.owe(step));
  }

  void renew(Step.Renew step) {
    change(step, step.now(), step.stepsBack(), step.limit(), model.renew(step));
  }

  private void change(Step step, long now, boolean stepsBack, Limit limit, Optional<M> next) {
    long ttl = 0;
    if (next.isPresent()) {
      model = next.get();
      state = model.state(limit);
      block = block.at(now, stepsBack);
      ttl = BucketModel.ttl(Math.max(model.keeps(now, limit), block.rest(now)));
    }
    add(step, Step.Reply.NONE, ttl);
  }

  void block(Step.Block step) {
    BlockModel later = new BlockModel(step.now() + step.length(), step.length());
    boolean writes = block.at(step.now(), step.stepsBack()).ends() < later.ends();
    block = writes ? later : block;
    add(step, Step.Reply.NONE, writes ? BucketModel.ttl(step.length()) : 0);
  }

  /**
   * Lifts the block. A clock that has jumped back moves the limit's own state, as it always does.
   */
  void unblock(Step.Unblock step) {
    long ttl = 0;
    if (!block.at(step.now(), step.stepsBack()).equals(BlockModel.NONE)) {
      long reset = take(new Step.Decide(step.now(), step.stepsBack(), step.limit(), 0)).reset();
      block = BlockModel.NONE;
      ttl = BucketModel.ttl(Math.max(reset, model.lasts(step.now())));
    }
    add(step, Step.Reply.NONE, ttl);
  }

  /** Drops the state, as by a reset or by a loss in Redis. */
  void lose() {
    model = none;
    block = BlockModel.NONE;
    state = "";
    add(new Step.Overwrite(""), Step.Reply.NONE, 0);
  }

  private void add(Step step, Step.Reply reply, long ttl) {
    steps.add(step);
    expected.add(reply.storing(ttl, block.before(state)));
  }
}
