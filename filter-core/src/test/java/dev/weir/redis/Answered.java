package dev.weir.redis;

/**
 * What the scripts have made of a step.
 *
 * @param before the state of its counter before it
 * @param tried what has come of the promises of the answer, as the test driver says; empty where
 *     they were not tried
 */
record Answered(TraceStep turn, String before, Step.Reply reply, String tried) {

  Step step() {
    return turn.step();
  }

  /** Whether the limit's own state was written, and not only a block before it. */
  boolean isWritten() {
    return reply.ttl() > 0 && (isGrant() || !own(before).equals(own(reply.state())));
  }

  boolean isGrant() {
    return reply.fits() == 1 && step() instanceof Step.Decide decide && decide.permits() > 0;
  }

  /** How many permits were spent out of a lease. */
  long spent() {
    return step() instanceof Step.Spend ? reply.ttl() : 0;
  }

  /** A state without the block before it. */
  static String own(String state) {
    return state.startsWith("!") ? state.substring(state.indexOf(';') + 1) : state;
  }
}
