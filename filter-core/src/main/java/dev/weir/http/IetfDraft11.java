package dev.weir.http;

import dev.weir.Concurrency;
import dev.weir.Limit;
import dev.weir.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The two fields of draft-ietf-httpapi-ratelimit-headers-11. It is a draft: its successor renames
 * parameters, and gets a class of its own.
 *
 * <p>Both are Structured Fields lists of strings (RFC 9651). A policy is a limit under its name,
 * with its quota {@code q} and its window {@code w} in seconds, as {@link QuotaPolicy} says.
 *
 * <p>{@code r} is what the binding limit would still grant, which on a denial is less than was
 * asked but not zero where a request costs more than one permit. {@code t} is on a denial the same
 * as {@code Retry-After}, absent where no waiting helps; else the time until the limit is as good
 * as new. {@code qu} is left out, because the draft's prose and its registry disagree on its
 * default; {@code pk} is, because it would tell clients apart in public.
 */
final class IetfDraft11 implements ClientFields {

  static final String POLICY = "RateLimit-Policy";
  static final String LIMIT = "RateLimit";

  /** What is counted are requests under way, in no time. */
  private static final String CONCURRENT = ";qu=\"concurrent-requests\"";

  @Override
  public Optional<Field> policies(List<Verdict> verdicts) {
    return Optional.of(policy(verdicts));
  }

  @Override
  public List<Field> fields(Optional<Field> policies, Verdict binding, OptionalLong seconds) {
    return List.of(policies.orElseThrow(), limit(binding, seconds));
  }

  /** Each limit once, by its name. */
  static Field policy(List<Verdict> verdicts) {
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
      list.append(quoted(name)).append(";q=").append(QuotaPolicy.quota(limit));
      list.append(
          limit instanceof Concurrency ? CONCURRENT : ";w=" + QuotaPolicy.windowSeconds(limit));
    }
    return new Field(POLICY, list.toString());
  }

  /** The limit that binds, and the seconds after which that changes. */
  static Field limit(Verdict binding, OptionalLong seconds) {
    String item =
        quoted(binding.counter().name()) + ";r=" + QuotaPolicy.integer(binding.remaining());
    return new Field(
        LIMIT,
        seconds.isPresent() ? item + ";t=" + QuotaPolicy.integer(seconds.getAsLong()) : item);
  }

  /** The name of a counter has nothing in it that would have to be escaped. */
  private static String quoted(String name) {
    return '"' + name + '"';
  }
}
