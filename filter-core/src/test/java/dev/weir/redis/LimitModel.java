package dev.weir.redis;

import dev.weir.Limit;
import java.util.Optional;

/**
 * A limit as its promise says, between two steps.
 *
 * @param <M> itself
 */
interface LimitModel<M extends LimitModel<M>> {

  /** What a decision leads to. Nothing is written where the reply's ttl is 0. */
  Outcome<M> decide(Step.Decide step);

  /** Empty when nothing is taken back. */
  Optional<M> refund(Step.Refund step);

  /** Empty when there is nothing to give back. */
  Optional<M> reward(Step.Reward step);

  /** Takes more, there or not; empty when no more can be counted. */
  default Optional<M> owe(Step.Owe step) {
    return Optional.empty();
  }

  /** Empty where nothing is held by that stamp. */
  default Optional<M> renew(Step.Renew step) {
    return Optional.empty();
  }

  /** What it is by other numbers; empty where that is no other state. */
  default Optional<M> follow(Limit limit, long now) {
    return Optional.empty();
  }

  /** How long it is worth keeping. */
  long keeps(long now, Limit limit);

  /** As it is stored. */
  String state(Limit limit);

  /**
   * A reply, its state still empty, and what follows.
   *
   * @param next the same as before where nothing is written
   */
  record Outcome<M>(Step.Reply reply, M next) {}
}
