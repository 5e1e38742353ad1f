package dev.weir.http.internal.response;

import dev.weir.http.spi.Outcome.Field;
import dev.weir.store.Decision.Verdict;
import java.util.List;
import java.util.OptionalLong;

/**
 * The fields of draft-ietf-httpapi-ratelimit-headers-07 and -06, for clients that read no later
 * draft. Both describe the binding limit: its quota, what remains of it, and the seconds until that
 * changes. Where waiting does not help, the seconds are those until the limit is full. Draft 7 has
 * one field for all three numbers. Draft 6 has one for each.
 *
 * <p>A policy is a quota and its window, as {@link QuotaPolicy} defines them. A policy must have a
 * window, and a concurrency limit has none. So the policies leave it out.
 */
final class EarlierDrafts {

  private EarlierDrafts() {}

  /** Returns the policies in order, each once. None if no limit has a window. */
  static List<String> policies(List<Verdict> verdicts) {
    return verdicts.stream()
        .map(verdict -> verdict.counter().limit())
        .filter(limit -> !limit.algorithm().isHeld())
        .distinct()
        .map(limit -> QuotaPolicy.quota(limit) + ";w=" + QuotaPolicy.windowSeconds(limit))
        .toList();
  }

  /** Returns the field of draft 7 for the binding limit. */
  static Field draft7(Verdict binding, OptionalLong seconds) {
    return new Field(
        IetfDraft11.LIMIT,
        "limit="
            + quota(binding)
            + ", remaining="
            + remaining(binding)
            + ", reset="
            + reset(binding, seconds));
  }

  /** Returns the fields of draft 6 for the binding limit. */
  static List<Field> draft6(Verdict binding, OptionalLong seconds) {
    return List.of(
        number("RateLimit-Limit", quota(binding)),
        number("RateLimit-Remaining", remaining(binding)),
        number("RateLimit-Reset", reset(binding, seconds)));
  }

  private static Field number(String name, long value) {
    return new Field(name, Long.toString(value));
  }

  private static long quota(Verdict binding) {
    return QuotaPolicy.quota(binding.counter().limit());
  }

  private static long remaining(Verdict binding) {
    return QuotaPolicy.integer(binding.remaining());
  }

  private static long reset(Verdict binding, OptionalLong seconds) {
    return QuotaPolicy.integer(
        seconds.orElseGet(() -> QuotaPolicy.roundedUp(binding.resetAfterNanos())));
  }
}
