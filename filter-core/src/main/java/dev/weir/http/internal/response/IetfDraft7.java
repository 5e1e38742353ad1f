package dev.weir.http.internal.response;

import dev.weir.Verdict;
import dev.weir.http.Outcome.Field;
import dev.weir.limit.Limit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The two fields of draft-ietf-httpapi-ratelimit-headers-07, for clients that read no later draft.
 *
 * <p>{@code RateLimit} describes the binding limit: its quota, what remains of it, and the seconds
 * until that changes. Where waiting does not help, the seconds are those until the limit is full. A
 * policy is a quota and its window, as {@link QuotaPolicy} defines them. A policy must have a
 * window, and a concurrency limit has none. So the policies leave it out.
 */
final class IetfDraft7 implements ClientFields {

  @Override
  public Optional<Field> policies(List<Verdict> verdicts) {
    String list =
        verdicts.stream()
            .map(verdict -> verdict.counter().limit())
            .filter(limit -> !limit.algorithm().isHeld())
            .distinct()
            .map(IetfDraft7::policy)
            .collect(Collectors.joining(", "));
    return list.isEmpty() ? Optional.empty() : Optional.of(new Field("RateLimit-Policy", list));
  }

  private static String policy(Limit limit) {
    return QuotaPolicy.quota(limit) + ";w=" + QuotaPolicy.windowSeconds(limit);
  }

  @Override
  public List<Field> fields(Optional<Field> policies, Verdict binding, OptionalLong seconds) {
    String limit =
        "limit="
            + QuotaPolicy.quota(binding.counter().limit())
            + ", remaining="
            + QuotaPolicy.integer(binding.remaining())
            + ", reset="
            + reset(binding, seconds);
    return Stream.concat(policies.stream(), Stream.of(new Field("RateLimit", limit))).toList();
  }

  static long reset(Verdict binding, OptionalLong seconds) {
    return QuotaPolicy.integer(
        seconds.orElseGet(() -> Seconds.roundedUp(binding.resetAfterNanos())));
  }
}
