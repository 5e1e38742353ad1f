package dev.weir.http;

import dev.weir.Concurrency;
import dev.weir.Counter;
import dev.weir.Limit;
import java.util.Objects;

/**
 * A limit under the name by which rules use it. All rules that name it share one counter for each
 * subject.
 *
 * @param name as {@link Counter#validateName} allows; it stands in keys and in response fields
 */
public record NamedLimit(String name, Limit limit) {

  /**
   * @throws IllegalArgumentException when the name is not one that a counter accepts, or the limit
   *     is one of concurrency: rules do not hold permits yet
   */
  public NamedLimit {
    Objects.requireNonNull(limit, "limit");
    Counter.validateName(name);
    if (limit instanceof Concurrency) {
      throw Expect.failure(
          "limit", "'" + limit + "'", "a rate or a quota: concurrent limits are not for rules yet");
    }
  }
}
