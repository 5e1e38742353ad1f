package dev.weir.http;

import dev.weir.CalendarWindow;
import dev.weir.Concurrency;
import dev.weir.FirstRequestWindow;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.SlidingWindow;
import dev.weir.Verdict;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The two fields of draft-ietf-httpapi-ratelimit-headers-11. It is a draft: its successor renames
 * parameters, and gets a class of its own.
 *
 * <p>Both are Structured Fields lists of strings (RFC 9651). A policy is a limit under its name,
 * with its quota {@code q} and its window {@code w} in seconds: of a bucket the burst and the time
 * it takes to refill, of a fixed window the quota and its length, of a calendar's window the usual
 * length of its unit, a month as 31 days.
 *
 * <p>{@code r} is what the binding limit would still grant, which on a denial is less than was
 * asked but not zero where a request costs more than one permit. {@code t} is on a denial the same
 * as {@code Retry-After}, absent where no waiting helps; else the time until the limit is as good
 * as new. {@code qu} is left out, because the draft's prose and its registry disagree on its
 * default; {@code pk} is, because it would tell clients apart in public.
 */
final class IetfDraft11 {

  static final String POLICY = "RateLimit-Policy";
  static final String LIMIT = "RateLimit";

  /** What is counted are requests under way, in no time. */
  private static final String CONCURRENT = ";qu=\"concurrent-requests\"";

  /** The largest integer of a Structured Field: fifteen digits. */
  private static final long LARGEST = 999_999_999_999_999L;

  private IetfDraft11() {}

  /** Each limit once, by its name. */
  static Field policies(List<Verdict> verdicts) {
    StringBuilder list = new StringBuilder(48 * verdicts.size());
    Set<String> names = verdicts.size() > 1 ? new HashSet<>() : Set.of();
    for (Verdict verdict : verdicts) {
      String name = verdict.counter().name();
      if (verdicts.size() > 1 && !names.add(name)) {
        continue;
      }
      if (!list.isEmpty()) {
        list.append(", ");
      }
      Limit limit = verdict.counter().limit();
      list.append(quoted(name)).append(";q=").append(capped(limit.capacity()));
      list.append(limit instanceof Concurrency ? CONCURRENT : ";w=" + windowSeconds(limit));
    }
    return new Field(POLICY, list.toString());
  }

  /** The limit that binds, and the seconds after which that changes. */
  static Field limit(Verdict binding, OptionalLong seconds) {
    String item = quoted(binding.counter().name()) + ";r=" + capped(binding.remaining());
    return new Field(
        LIMIT, seconds.isPresent() ? item + ";t=" + capped(seconds.getAsLong()) : item);
  }

  private static long windowSeconds(Limit limit) {
    return capped(Seconds.roundedUp(window(limit)));
  }

  private static Duration window(Limit limit) {
    if (limit instanceof FixedWindow fixed) {
      return window(fixed);
    }
    return limit instanceof SlidingWindow sliding ? sliding.length() : limit.timeToFull();
  }

  static Duration window(FixedWindow fixed) {
    if (fixed.window() instanceof FirstRequestWindow first) {
      return first.length();
    }
    return switch (((CalendarWindow) fixed.window()).unit()) {
      case SECOND -> Duration.ofSeconds(1);
      case MINUTE -> Duration.ofMinutes(1);
      case HOUR -> Duration.ofHours(1);
      case DAY -> Duration.ofDays(1);
      case WEEK -> Duration.ofDays(7);
      case MONTH -> Duration.ofDays(31);
    };
  }

  /** The name of a counter has nothing in it that would have to be escaped. */
  private static String quoted(String name) {
    return '"' + name + '"';
  }

  private static long capped(long number) {
    return Math.max(0, Math.min(number, LARGEST));
  }
}
