package com.example;

import dev.weir.MultiLimiter;
import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.store.Subject;
import java.util.OptionalLong;

/** What an API key has left of the first limit of a rule. For a page that shows it. */
public final class RemainingQuota implements AutoCloseable {

  /** Joins what the filter of this application has opened, or will open. */
  private final Weir weir = Weir.join(WeirSource.of("quota"));

  /** Charges nothing. Empty while no counter can be read. */
  public OptionalLong left(String rule, String apiKey) {
    NamedLimit limit =
        weir.rules().stream()
            .filter(it -> it.name().equals(rule))
            .findFirst()
            .orElseThrow()
            .limits()
            .get(0);
    MultiLimiter quota =
        MultiLimiter.builder().store(weir.store()).limit(limit.name(), limit.limit()).build();
    return quota.peek(Subject.of("header:x-api-key", apiKey)).remaining();
  }

  @Override
  public void close() {
    weir.close();
  }
}
