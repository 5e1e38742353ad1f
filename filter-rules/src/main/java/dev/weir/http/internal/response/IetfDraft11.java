package dev.weir.http.internal.response;

import dev.weir.http.spi.Outcome.Field;
import dev.weir.limit.Limit;
import dev.weir.store.Decision.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The two fields of draft-ietf-httpapi-ratelimit-headers-11. It is a draft. Its successor renames
 * parameters, and gets its own class.
 *
 * <p>Both are Structured Fields lists of strings (RFC 9651). A policy is a limit under its name,
 * with its quota {@code q} and its window {@code w} in seconds, as {@link QuotaPolicy} defines
 * them.
 *
 * <p>{@code r} is what the binding limit would still grant. On a denial this is less than was
 * requested. It is not always zero, because a request may cost more than one permit. On a denial
 * {@code t} equals {@code Retry-After}, and is absent where waiting does not help. Otherwise {@code
 * t} is the time until the limit is full.
 *
 * <p>{@code qu} is left out, because the draft's prose and its registry disagree on its default.
 * {@code pk} is left out, because it would reveal in public which clients differ.
 */
final class IetfDraft11 {

  static final String POLICY = "RateLimit-Policy";
  static final String LIMIT = "RateLimit";

  /** The unit of a concurrency limit. It counts requests in flight, and has no window. */
  private static final String CONCURRENT = ";qu=\"concurrent-requests\"";

  private IetfDraft11() {}

  /** Returns the policies in order, each limit once, by its name. It has nothing to escape. */
  static List<String> policies(List<Verdict> verdicts) {
    Set<String> names = new HashSet<>();
    return verdicts.stream()
        .map(Verdict::counter)
        .filter(counter -> names.add(counter.name()))
        .map(
            counter -> {
              Limit limit = counter.limit();
              String unit =
                  limit.algorithm().isHeld()
                      ? CONCURRENT
                      : ";w=" + QuotaPolicy.windowSeconds(limit);
              return '"' + counter.name() + "\";q=" + QuotaPolicy.quota(limit) + unit;
            })
        .toList();
  }

  /** Returns the field of the binding limit, with the seconds after which its state changes. */
  static Field limit(Verdict binding, OptionalLong seconds) {
    String name = binding.counter().name();
    long remaining = QuotaPolicy.integer(binding.remaining());
    return new Field(
        LIMIT,
        seconds.isPresent()
            ? '"' + name + "\";r=" + remaining + ";t=" + QuotaPolicy.integer(seconds.getAsLong())
            : '"' + name + "\";r=" + remaining);
  }
}
