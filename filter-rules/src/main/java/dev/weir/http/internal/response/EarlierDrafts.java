package dev.weir.http.internal.response;

import dev.weir.http.spi.Outcome.Field;
import dev.weir.store.Decision.Verdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

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
  static Stream<String> policies(List<Verdict> verdicts) {
    return verdicts.stream()
        .map(verdict -> verdict.counter().limit())
        .filter(limit -> !limit.algorithm().isHeld())
        .distinct()
        .map(limit -> QuotaPolicy.quota(limit) + ";w=" + QuotaPolicy.windowSeconds(limit));
  }

  /** Returns the fields of draft 7. */
  static List<Field> draft7(Optional<Field> policy, Verdict binding, OptionalLong seconds) {
    String limit =
        "limit="
            + quota(binding)
            + ", remaining="
            + remaining(binding)
            + ", reset="
            + reset(binding, seconds);
    return with(policy, Stream.of(new Field(IetfDraft11.LIMIT, limit)));
  }

  /** Returns the fields of draft 6. */
  static List<Field> draft6(Optional<Field> policy, Verdict binding, OptionalLong seconds) {
    return with(
        policy,
        Stream.of(
            number("RateLimit-Limit", quota(binding)),
            number("RateLimit-Remaining", remaining(binding)),
            number("RateLimit-Reset", reset(binding, seconds))));
  }

  private static List<Field> with(Optional<Field> policy, Stream<Field> others) {
    return Stream.concat(policy.stream(), others).toList();
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
