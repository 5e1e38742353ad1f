package dev.weir.http.internal.response;

import dev.weir.Verdict;
import dev.weir.http.Outcome.Field;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The four fields of draft-ietf-httpapi-ratelimit-headers-06. They are those of {@link IetfDraft7},
 * with a separate field for each number.
 */
final class IetfDraft6 implements ClientFields {

  private final IetfDraft7 next = new IetfDraft7();

  @Override
  public Optional<Field> policies(List<Verdict> verdicts) {
    return next.policies(verdicts);
  }

  @Override
  public List<Field> fields(Optional<Field> policies, Verdict binding, OptionalLong seconds) {
    return Stream.concat(
            policies.stream(),
            Stream.of(
                number("RateLimit-Limit", QuotaPolicy.quota(binding.counter().limit())),
                number("RateLimit-Remaining", QuotaPolicy.integer(binding.remaining())),
                number("RateLimit-Reset", IetfDraft7.reset(binding, seconds))))
        .toList();
  }

  private static Field number(String name, long value) {
    return new Field(name, Long.toString(value));
  }
}
