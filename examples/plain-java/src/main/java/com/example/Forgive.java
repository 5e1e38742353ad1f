package com.example;

import dev.weir.MultiLimiter;
import dev.weir.config.Weir;
import dev.weir.config.WeirSource;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;

/** Gives a client the whole of a rule's limits again. For a page of the support desk. */
public final class Forgive implements AutoCloseable {

  /** Joins what the filter of this application has opened, or will open. */
  private final Weir weir = Weir.join(WeirSource.of("forgive"));

  /** Resets all limits of the rule for this client, those of tiers and of overrides too. */
  public void forgive(String rule, Subject client) throws StoreUnavailableException {
    Rule found =
        weir.rules().stream().filter(it -> it.name().equals(rule)).findFirst().orElseThrow();
    MultiLimiter.Builder limits = MultiLimiter.builder().store(weir.store());
    for (NamedLimit limit : found.limits()) {
      if (!limit.limit().algorithm().isHeld()) { // held permits return by themselves
        limits.limit(limit.name(), limit.limit());
      }
    }
    limits.build().reset(client);
  }

  @Override
  public void close() {
    weir.close();
  }
}
