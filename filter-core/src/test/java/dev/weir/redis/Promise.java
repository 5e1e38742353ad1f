package dev.weir.redis;

import java.util.List;

/** What holds of a limit's answers, whatever its model says. */
interface Promise {

  /**
   * Checks what one counter has answered.
   *
   * @param answers of one counter, from its first step on
   * @throws AssertionError where it is not kept
   */
  void check(List<Answered> answers);

  /** Says what was broken, and where. */
  static void require(boolean kept, String promise, int step, Answered answered) {
    if (!kept) {
      throw new AssertionError(
          "%s, at step %d of the counter: %s%n  after    %s%n  answered %s %s"
              .formatted(
                  promise,
                  step,
                  answered.turn(),
                  answered.before(),
                  answered.reply(),
                  answered.tried()));
    }
  }
}
