package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.WeirStatus.Events;
import dev.weir.http.Rule;
import dev.weir.http.RuleListener;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is counted of the events that a listener is notified of, with and without a listener. */
class EventCountsTest {

  private final EventCounts events = new EventCounts();
  private final RuleListener listeners = new GuardedRuleListener(events);
  private final Rule login = Rule.builder("login").limit("5 per minute").build();
  private final Rule other = Rule.builder("other").limit("5 per minute").build();

  @Test
  void nothing_has_happened_at_the_start() {
    assertThat(events.events(Set.of(login)))
        .isEqualTo(
            new Events(
                Map.of(Source.REDIS, 0L, Source.LOCAL, 0L),
                Optional.empty(),
                0,
                0,
                0,
                Map.of("login", 0L),
                0));
  }

  @Test
  void each_event_is_counted_by_what_distinguishes_it() {
    Instant before = Instant.now();
    listeners.onStoreSwitched(Source.LOCAL, "out");
    listeners.onStoreSwitched(Source.REDIS, "there");
    listeners.onStoreSwitched(Source.LOCAL, "out");
    listeners.onProbe(true, "wrote");
    listeners.onProbe(false, "refused");
    listeners.onProbe(false, "refused");
    listeners.onPermitsLost(new Receipt(Source.REDIS, List.of()));
    listeners.onError("a bug", new IllegalStateException());
    listeners.onRefundLost(
        List.of(login), new StoreUnavailableException("gone", Duration.ZERO, null));
    Events counted = events.events(Set.of(login, other));
    assertThat(counted.storeSwitches()).isEqualTo(Map.of(Source.REDIS, 1L, Source.LOCAL, 2L));
    assertThat(counted.lastStoreSwitch().orElseThrow()).isBetween(before, Instant.now());
    assertThat(counted.probesSucceeded()).isEqualTo(1);
    assertThat(counted.probesFailed()).isEqualTo(2);
    assertThat(counted.permitsLost()).isEqualTo(1);
    assertThat(counted.errors()).isEqualTo(1);
    assertThat(counted.refundsLost()).isEqualTo(Map.of("login", 1L, "other", 0L));
  }
}
