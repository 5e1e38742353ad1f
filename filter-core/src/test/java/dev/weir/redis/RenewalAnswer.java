package dev.weir.redis;

/**
 * The result of a {@link Step.Renewal}, and what the node sent with it.
 *
 * @param length for which the lease lasts, as of the answer
 * @param name of the lease that was settled; 0 for none
 */
record RenewalAnswer(
    Step.Renewal step,
    long lent,
    long remaining,
    boolean carried,
    long ends,
    long length,
    long name,
    long out,
    long kept,
    long back) {

  static RenewalAnswer of(Step.Renewal step, Replied replied) {
    String[] reported = replied.tried().split(",", -1);
    Step.Reply reply = replied.reply();
    return new RenewalAnswer(
        step,
        reply.fits(),
        reply.remaining(),
        reply.retry() == 1,
        reply.stamp(),
        Long.parseLong(reported[0]),
        Long.parseLong(reported[1]),
        Long.parseLong(reported[2]),
        Long.parseLong(reported[3]),
        Long.parseLong(reported[4]));
  }
}
