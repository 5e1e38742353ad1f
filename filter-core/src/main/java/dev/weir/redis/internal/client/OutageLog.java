package dev.weir.redis.internal.client;

import dev.weir.store.LimitStore.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lines of the log about outages. An outage of a primary has a line when it begins, and one
 * when it ends. A busy machine or a network at its limit can make many short ones.
 *
 * <p><b>Model.</b> After {@link #PAIRS} outages within {@link #MINUTE}, one line sums them up and
 * names the cure. The primary then counts as unsteady. Its outages have no lines of their own: one
 * line a minute sums them up. It is steady again after a minute without an outage, or in an outage
 * that lasts for {@link #LONG}. That one is no flicker: it has its two lines.
 *
 * <p>Thread-safe.
 */
final class OutageLog {

  static final int PAIRS = 3;
  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Duration LONG = Duration.ofSeconds(10);

  private static final String RETRIES = ". Weir tries again by itself, about twice a second";

  private static final String WITH_THE_CURE =
      ", and succeeds once what is expected is there. A change of redis in the configuration"
          + " requires a restart";

  private static final String MEANWHILE =
      ". Meanwhile on-outage decides: its default, local, limits by this node's share";

  /** One line of the log. */
  record Line(Level level, String text) {}

  /** An outage that has ended. */
  private record Ended(long beganNanos, long outNanos, long decided) {

    long endNanos() {
      return beganNanos + outNanos;
    }
  }

  /** The outages of one primary. */
  private static final class Outages {
    private boolean isOut;
    private String why = "";
    private long beganNanos;

    /** The number of decisions without this primary before the outage. */
    private long decidedBefore;

    /** Those of the last minute, or while it is unsteady those that are to be summed up. */
    private final Deque<Ended> recent = new ArrayDeque<>();

    private boolean isUnsteady;

    /** The time of the last sum. */
    private long summedNanos;

    private boolean isSumDue(long nowNanos) {
      return isUnsteady && nowNanos - summedNanos >= MINUTE.toNanos();
    }
  }

  private final Ticker ticker;
  private final Map<String, Outages> byPrimary = new HashMap<>();

  OutageLog(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Returns the lines for the begin of an outage.
   *
   * @param decidedWithout the number of decisions without this primary before it
   */
  synchronized List<Line> began(String primary, String why, long decidedWithout) {
    long now = ticker.nanoTime();
    Outages outages = byPrimary.computeIfAbsent(primary, unknown -> new Outages());
    List<Line> lines = new ArrayList<>();
    if (outages.isSumDue(now)) {
      // steady again after a minute without an outage that was not summed up
      Deque<Ended> recent = outages.recent;
      outages.isUnsteady =
          !recent.isEmpty() && now - recent.getLast().endNanos() < MINUTE.toNanos();
      if (!recent.isEmpty()) {
        lines.add(sum(primary, outages, now));
      }
    }
    outages.isOut = true;
    outages.why = why;
    outages.beganNanos = now;
    outages.decidedBefore = decidedWithout;
    if (!outages.isUnsteady) {
      lines.add(isOut(primary, why));
    }
    return lines;
  }

  /** Returns the lines for a reason that says more. Short outages have only the last reason. */
  synchronized List<Line> explained(String primary, String why) {
    @Nullable Outages outages = byPrimary.get(primary);
    if (outages == null || !outages.isOut) {
      return List.of();
    }
    outages.why = why;
    String line = "Redis at " + primary + " is still out: " + why;
    String more = hasCure(why) ? retries(why) : "";
    return outages.isUnsteady ? List.of() : List.of(new Line(Level.WARNING, line + more));
  }

  /** Returns the lines for the end of an outage. */
  synchronized List<Line> ended(String primary, long decidedWithout) {
    long now = ticker.nanoTime();
    Outages outages = byPrimary.computeIfAbsent(primary, unknown -> new Outages());
    if (!outages.isOut) {
      return List.of(new Line(Level.INFO, "Redis at " + primary + " decides again"));
    }
    long outNanos = now - outages.beganNanos;
    long decided = decidedWithout - outages.decidedBefore;
    outages.isOut = false;
    outages.recent.add(new Ended(outages.beganNanos, outNanos, decided));
    List<Line> lines = new ArrayList<>();
    if (!outages.isUnsteady) {
      String after = seconds(outNanos) + "; " + withoutIt(decided);
      lines.add(new Line(Level.INFO, "Redis at " + primary + " decides again after " + after));
      outages.recent.removeIf(past -> now - past.beganNanos() >= MINUTE.toNanos());
      outages.isUnsteady = outages.recent.size() >= PAIRS;
      outages.summedNanos = now - MINUTE.toNanos();
    }
    if (outages.isSumDue(now)) {
      lines.add(sum(primary, outages, now));
    }
    return lines;
  }

  /** Returns the lines for an outage that continues. */
  synchronized List<Line> continued(String primary) {
    @Nullable Outages outages = byPrimary.get(primary);
    if (outages == null
        || !outages.isOut
        || !outages.isUnsteady
        || ticker.nanoTime() - outages.beganNanos < LONG.toNanos()) {
      return List.of();
    }
    outages.isUnsteady = false;
    outages.recent.clear();
    return List.of(isOut(primary, outages.why));
  }

  /** Forgets a primary that is no longer one. */
  synchronized void forget(String primary) {
    byPrimary.remove(primary);
  }

  private static Line isOut(String primary, String why) {
    String line = "Redis at " + primary + " is out: " + why;
    return new Line(Level.WARNING, line + retries(why) + MEANWHILE);
  }

  /** Returns what ends the outage. A reason with a known cure may require an operator. */
  private static String retries(String why) {
    return RETRIES + (hasCure(why) ? WITH_THE_CURE : "");
  }

  private static boolean hasCure(String why) {
    return why.contains(OutageReason.EXPECTED);
  }

  private static Line sum(String primary, Outages outages, long nowNanos) {
    Deque<Ended> all = outages.recent;
    String line =
        String.format(
            Locale.ROOT,
            "Redis at %s was out %d times within %s, for %s in all; %s. Last reason: %s. If it is"
                + " up, this machine or the network is too slow for the deadline: set a longer"
                + " redis.deadline. Further short outages have one line a minute",
            primary,
            all.size(),
            seconds(all.getLast().endNanos() - all.getFirst().beganNanos()),
            seconds(all.stream().mapToLong(Ended::outNanos).sum()),
            withoutIt(all.stream().mapToLong(Ended::decided).sum()),
            outages.why);
    all.clear();
    outages.summedNanos = nowNanos;
    return new Line(Level.WARNING, line);
  }

  private static String withoutIt(long decided) {
    return decided + (decided == 1 ? " request was" : " requests were") + " decided without it";
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }
}
