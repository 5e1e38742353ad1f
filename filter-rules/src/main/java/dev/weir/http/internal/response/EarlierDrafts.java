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
record EarlierDrafts(long quota, long remaining, long reset) {

  /** Returns the numbers of the binding limit, which change after so many seconds, if ever. */
  static EarlierDrafts of(Verdict binding, OptionalLong seconds) {
    long reset = seconds.orElse(QuotaPolicy.roundedUp(binding.resetAfterNanos()));
    return new EarlierDrafts(
        QuotaPolicy.quota(binding.counter().limit()),
        QuotaPolicy.integer(binding.remaining()),
        QuotaPolicy.integer(reset));
  }

  /** Returns the policies in order, each once. None if no limit has a window. */
  static List<String> policies(List<Verdict> verdicts) {
    return verdicts.stream()
        .map(verdict -> verdict.counter().limit())
        .filter(limit -> !limit.algorithm().isHeld())
        .distinct()
        .map(limit -> QuotaPolicy.quota(limit) + ";w=" + QuotaPolicy.windowSeconds(limit))
        .toList();
  }

  Field draft7() {
    return new Field(
        IetfDraft11.LIMIT, "limit=" + quota + ", remaining=" + remaining + ", reset=" + reset);
  }

  List<Field> draft6() {
    return List.of(
        new Field("RateLimit-Limit", Long.toString(quota)),
        new Field("RateLimit-Remaining", Long.toString(remaining)),
        new Field("RateLimit-Reset", Long.toString(reset)));
  }
}
