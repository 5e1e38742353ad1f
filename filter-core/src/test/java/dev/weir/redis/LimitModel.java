package dev.weir.redis;

import dev.weir.limit.Limit;
import java.util.Optional;

/**
 * A limit as its promise says, between two steps.
 *
 * @param <M> itself
 */
interface LimitModel<M extends LimitModel<M>> {

  /** Returns the outcome of a decision. Nothing is written where the reply's ttl is 0. */
  Outcome<M> decide(Step.Decide step);

  /** Refunds permits; empty when nothing is refunded. */
  Optional<M> refund(Step.Refund step);

  /** Rewards permits; empty when there is nothing to reward. */
  Optional<M> reward(Step.Reward step);

  /** Takes more, available or not; empty when no more can be counted. */
  default Optional<M> owe(Step.Owe step) {
    return Optional.empty();
  }

  /** Renews permits; empty where no permit is held by that stamp. */
  default Optional<M> renew(Step.Renew step) {
    return Optional.empty();
  }

  /** Returns its state by other numbers; empty where the state stays the same. */
  default Optional<M> follow(Limit limit, long now) {
    return Optional.empty();
  }

  /** Returns how long it is worth keeping. */
  long keeps(long now, Limit limit);

  /** Returns how long it is worth keeping if nothing of it is used. */
  default long lasts(long now) {
    return 0;
  }

  /** Returns it as it is stored. */
  String state(Limit limit);

  /**
   * A reply, its state still empty, and what follows.
   *
   * @param next the same as before where nothing is written
   */
  record Outcome<M>(Step.Reply reply, M next) {}
}
