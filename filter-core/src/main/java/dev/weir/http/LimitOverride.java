package dev.weir.http;

import java.util.List;
import java.util.Objects;

/**
 * Limits for some clients instead of those that they would have.
 *
 * @param limits at least one; who is to have none is better allowed
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
