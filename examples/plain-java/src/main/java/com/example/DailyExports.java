package com.example;

import dev.weir.PeriodLimiter;
import dev.weir.PeriodLimiter.QuotaStatus;

/** Exports of a user, ten from midnight to midnight in Berlin. */
public final class DailyExports {

  private final PeriodLimiter exports =
      PeriodLimiter.of("exports", "10 per day window Europe/Berlin");

  public String export(String user) {
    return switch (QuotaStatus.of(exports.tryAcquire(user))) {
      case ALLOWED -> "exported";
      case HIT_QUOTA -> "exported, and that was the last one today";
      case OVER_QUOTA -> "no more today";
    };
  }
}
