package dev.weir.redis;

import dev.weir.limit.SlidingWindow;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The promises of every limit for each answer. A denial changes nothing (P6). As many permits as
 * remain pass and one more does not. Without passing time the remaining permits never grow (P7).
 * The same request passes after its retry-after but not a microsecond earlier. A request that can
 * never pass has no retry-after (P8). After the reset the counter is full. Its key lives until
 * then, but no longer than twice that and a second (P10).
 */
final class AnswerPromise implements Promise {

  private static final String OUTSIDE = "-2";

  @Override
  public void check(List<Replied> answers) {
    for (int i = 0; i < answers.size(); i++) {
      if (answers.get(i).step() instanceof Step.Decide decide) {
        check(decide, answers.get(i), i);
        if (i > 0) {
          checkStanding(answers.get(i - 1), decide, answers.get(i), i);
        }
      }
    }
  }

  private static void check(Step.Decide decide, Replied replied, int i) {
    Step.Reply reply = replied.reply();
    long capacity = decide.limit().capacity();
    boolean never = decide.permits() > capacity;
    boolean writes = reply.ttl() > 0;
    boolean takes = reply.fits() == 1 && decide.permits() > 0;
    Promise.require(never == (reply.fits() == -1), "P8: never, above capacity only", i, replied);
    Promise.require(
        reply.fits() != -1 || reply.retry() == 0, "P8: never has no retry-after", i, replied);
    Promise.require(
        reply.fits() != 0 || reply.retry() > 0, "P8: a denial has a retry-after", i, replied);
    Promise.require(
        reply.remaining() >= 0 && reply.remaining() <= capacity,
        "P7: 0 to capacity remain",
        i,
        replied);
    Promise.require(takes || !writes || decide.stepsBack(), "P6: no write", i, replied);
    Promise.require(
        writes || replied.before().equals(reply.state()), "P6: state as before", i, replied);
    Promise.require(
        !writes || reply.ttl() * 1_000 >= reply.reset(), "P10: lives until full", i, replied);
    Promise.require(
        !takes || reply.ttl() <= 2 * (reply.reset() / 1_000 + 1) + 1_000,
        "P10: lives not much longer",
        i,
        replied);
    if (!replied.tried().isEmpty()) {
      checkTried(replied, isOfItsWidth(decide, reply), i);
    }
  }

  /**
   * Returns whether the state is stored by the limit's own width. Grants of a sliding window of
   * another width are moved into its sub-windows as late as they may have been granted. A later
   * request moves them later. So until something is stored by the new width, a time in the future
   * is no promise.
   */
  private static boolean isOfItsWidth(Step.Decide decide, Step.Reply reply) {
    if (!(decide.limit() instanceof SlidingWindow sliding)) {
      return true;
    }
    String width = TimeUnit.MICROSECONDS.convert(sliding.subWindow()) + ":";
    String state = Replied.own(reply.state());
    return state.isEmpty() || state.startsWith(width);
  }

  private static void checkTried(Replied replied, boolean isOfItsWidth, int i) {
    String[] tried = replied.tried().split(",", -1);
    requireTried(tried[0], "1", "P7: what remains passes", i, replied);
    requireTried(tried[1], "0", "P7: one more than remains does not", i, replied);
    if (!isOfItsWidth) {
      return;
    }
    requireTried(tried[2], "1", "P10: all passes after the reset", i, replied);
    requireTried(tried[3], "0", "P10: the reset is not too late", i, replied);
    requireTried(tried[4], "1", "P8: retry-after suffices", i, replied);
    if (!isOutForWaiting(replied)) {
      requireTried(tried[5], "0", "P8: retry-after is tight", i, replied);
    }
  }

  /**
   * Returns whether a place is lost: while permits are out, none is kept. So a request that can
   * wait gets a longer wait.
   */
  private static boolean isOutForWaiting(Replied replied) {
    return replied.step() instanceof Step.Decide decide
        && decide.patience() > 0
        && Replied.own(replied.before()).startsWith("~");
  }

  private static void requireTried(
      String tried, String expected, String promise, int i, Replied replied) {
    boolean reported = !tried.equals("-") && !tried.equals(OUTSIDE);
    Promise.require(!reported || tried.equals(expected), promise, i, replied);
  }

  private static void checkStanding(Replied previous, Step.Decide decide, Replied replied, int i) {
    if (previous.step() instanceof Step.Decide before
        && before.now() == decide.now()
        && before.stepsBack() == decide.stepsBack()
        && before.patience() == decide.patience()
        && before.limit().equals(decide.limit())) {
      Promise.require(
          replied.reply().remaining() <= previous.reply().remaining(),
          "P7: no more without time",
          i,
          replied);
    }
  }
}
