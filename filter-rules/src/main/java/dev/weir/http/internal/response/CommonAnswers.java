package dev.weir.http.internal.response;

import dev.weir.http.spi.Outcome;
import dev.weir.limit.Limit;
import dev.weir.store.Decision.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the answers to requests that pass one limit. They differ in three things alone: the
 * limit, what remains of it, and the seconds until it is full. Clients with little left receive the
 * same few numbers again and again, so the text of these is formatted once.
 *
 * <p>Each slot keeps its last answer, so the cache does not grow. Entries are immutable. If threads
 * race for a slot, an answer is only formatted once more.
 */
final class CommonAnswers {

  private static final int SLOTS = 1 << 9;

  /** Larger numbers hardly come again before their slot has another answer. */
  static final long MOST_REMAINING = 1_000;

  private record Known(
      String name, Limit limit, long remaining, long seconds, Outcome.Passed answer) {}

  private final @Nullable Known[] entries = new Known[SLOTS];

  /** Returns the answer for a limit that allows the request. Null if it is not known. */
  Outcome.@Nullable Passed get(Verdict common) {
    long seconds = QuotaPolicy.roundedUp(common.resetAfterNanos());
    Known known = entries[slot(common, seconds)];
    return known != null
            && known.remaining == common.remaining()
            && known.seconds == seconds
            && known.name.equals(common.counter().name())
            && known.limit.equals(common.counter().limit())
        ? known.answer
        : null;
  }

  void put(Verdict common, Outcome.Passed answer) {
    long seconds = QuotaPolicy.roundedUp(common.resetAfterNanos());
    Known known =
        new Known(
            common.counter().name(), common.counter().limit(), common.remaining(), seconds, answer);
    entries[slot(common, seconds)] = known;
  }

  private static int slot(Verdict verdict, long seconds) {
    int hash = 31 * verdict.counter().name().hashCode() + (int) verdict.remaining();
    hash = 31 * hash + (int) seconds;
    return (hash ^ (hash >>> 16)) & (SLOTS - 1);
  }
}
