package dev.weir.http;

import dev.weir.Counter;
import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
import java.util.Objects;

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
}
