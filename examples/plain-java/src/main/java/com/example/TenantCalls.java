package com.example;

import dev.weir.MultiLimiter;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Subject;

/** Calls of a user, of its tenant and of all together: one decision about three limits. */
public final class TenantCalls {

  private final MultiLimiter calls;

  public TenantCalls(LimitStore store) {
    calls =
        MultiLimiter.builder()
            .limit("user", "20 per second", subject -> subject.only("user"))
            .limit("tenant", "1000 per day window UTC", subject -> subject.only("tenant"))
            .limit("all", "5000 per second", subject -> Subject.global())
            .store(store)
            .build();
  }

  /** Charges all three limits, or none. Returns "allowed", or the limit that denies. */
  public String call(String user, String tenant) {
    Decision decision = calls.tryAcquire(Subject.of("user", user).and("tenant", tenant));
    return decision.allowed()
        ? "allowed"
        : "denied by " + decision.limitName().orElse("the outage policy");
  }
}
