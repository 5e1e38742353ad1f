package dev.weir.redis;

import java.util.concurrent.TimeUnit;

/**
 * A block, written from the promise and not from the scripts.
 *
 * @param ends microseconds; 0 when there is none
 */
record BlockModel(long ends, long length) {

  /** 366 days. */
  static final long LONGEST = TimeUnit.DAYS.toMicros(366);

  static final BlockModel NONE = new BlockModel(0, 0);

  /** Returns the block in force now: a clock that has jumped back moves its end. */
  BlockModel at(long now, boolean stepsBack) {
    if (ends <= now) {
      return NONE;
    }
    boolean jumped = stepsBack && ends - now > 2 * length;
    return jumped ? new BlockModel(now + length, length) : this;
  }

  long rest(long now) {
    return Math.max(0, ends - now);
  }

  /**
   * Returns the reply of a limit behind this block. In place of the stamp is minus the block's
   * rest.
   *
   * @param own the reply to a request that the limit denied or only peeked at
   * @param moved whether the clock has moved this block
   */
  Step.Reply over(Step.Reply own, long now, boolean moved) {
    boolean never = own.fits() < 0;
    long reset = Math.max(own.reset(), rest(now));
    boolean writes = moved || own.ttl() > 0;
    return new Step.Reply(
        never ? own.fits() : 0,
        0,
        never ? 0 : Math.max(own.retry(), rest(now)),
        reset,
        -rest(now),
        writes ? Math.max(own.ttl(), BucketModel.ttl(reset)) : 0,
        "");
  }

  String before(String state) {
    return equals(NONE) ? state : "!" + ends + ":" + length + ";" + state;
  }
}
