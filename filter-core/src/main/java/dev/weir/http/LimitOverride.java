package dev.weir.http;

import dev.weir.internal.Expect;
import java.util.List;
import java.util.Objects;

/**
 * Limits for some clients that replace their usual limits.
 *
 * @param limits at least one; for clients without any limit, an allow list is better
 */
public record LimitOverride(Clients clients, List<NamedLimit> limits) {

  /**
   * @throws IllegalArgumentException when there is no limit
   */
  public LimitOverride {
    Objects.requireNonNull(clients, "clients");
    limits = List.copyOf(limits);
    if (limits.isEmpty()) {
      throw Expect.failure("limits", limits, "at least one limit");
    }
  }
}
