package dev.weir.redis;

import java.util.List;

/** A property of a limit's answers that does not depend on its model. */
interface Promise {

  /**
   * Checks the answers of one counter.
   *
   * @param answers of one counter, from its first step on
   * @throws AssertionError where it is not kept
   */
  void check(List<Replied> answers);

  /** Throws with what was broken, and where. */
  static void require(boolean kept, String promise, int step, Replied replied) {
    if (!kept) {
      throw new AssertionError(
          "%s, at step %d of the counter: %s%n  after    %s%n  answered %s %s"
              .formatted(
                  promise,
                  step,
                  replied.turn(),
                  replied.before(),
                  replied.reply(),
                  replied.tried()));
    }
  }
}
