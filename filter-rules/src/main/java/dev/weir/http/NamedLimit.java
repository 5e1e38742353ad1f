package dev.weir.http;

import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
import dev.weir.store.Counter;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A limit under the name by which rules use it. All rules that name it share one counter for each
 * subject.
 *
 * @param name as {@link Counter#validateName} allows; it appears in keys and in response fields
 */
public record NamedLimit(String name, Limit limit) {

  /**
   * @throws IllegalArgumentException when a counter does not accept the name, or it is a URI
   */
  public NamedLimit {
    Objects.requireNonNull(limit, "limit");
    Counter.validateName(name);
    Expect.noUri("name", name);
  }

  /** Returns the first of these limits that never grants this many permits at once. */
  public static Optional<NamedLimit> exceeded(List<NamedLimit> limits, long permits) {
    return limits.stream().filter(limit -> permits > limit.limit().capacity()).findFirst();
  }
}
