package dev.weir.redis;

/**
 * The scripts' result for a step.
 *
 * @param before the state of its counter before it
 * @param tried the results of the answer's promises, from the test driver; empty where they were
 *     not tried
 */
record Replied(TraceStep turn, String before, Step.Reply reply, String tried) {

  Step step() {
    return turn.step();
  }

  /** Returns whether the limit's own state was written, and not only a block before it. */
  boolean isWritten() {
    return reply.ttl() > 0 && (isGrant() || !own(before).equals(own(reply.state())));
  }

  boolean isGrant() {
    return reply.fits() == 1 && step() instanceof Step.Decide decide && decide.permits() > 0;
  }

  /** Returns how many permits were spent out of a lease. */
  long spent() {
    return step() instanceof Step.Spend ? reply.ttl() : 0;
  }

  /** Returns a state without the block before it. */
  static String own(String state) {
    return state.startsWith("!") ? state.substring(state.indexOf(';') + 1) : state;
  }
}
