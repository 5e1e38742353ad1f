package dev.weir.internal.store;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static dev.weir.fixture.AcquireRequests.refund;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.LogCapture;
import dev.weir.fixture.SwitchableStore;
import dev.weir.local.LocalLimitStore;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.LimiterListener;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** A listener is notified of every decision and can spoil none. */
class ObservedLimitStoreTest {

  private final SwitchableStore counting = new SwitchableStore(LocalLimitStore.of());
  private final AcquireRequest one = request(charge("limit", "2 per 30 days", Subject.of("a"), 1));

  private static class RecordingListener implements LimiterListener {
    final List<Decision> received = new ArrayList<>();
    final List<Duration> took = new ArrayList<>();

    @Override
    public void onDecision(AcquireRequest request, Decision decision, Duration time) {
      received.add(decision);
      took.add(time);
    }
  }

  private static final class Failing implements LimiterListener {
    @Override
    public void onDecision(AcquireRequest request, Decision decision, Duration took) {
      throw new IllegalStateException("broken listener");
    }

    @Override
    public void onStoreSwitched(Source now, String why) {
      throw new AssertionError("broken listener");
    }

    @Override
    public void onProbe(boolean succeeded, String detail) {
      throw new NoClassDefFoundError("broken listener");
    }

    @Override
    public void onError(String what, Throwable error) {
      throw new IllegalStateException("broken listener");
    }
  }

  @Test
  void every_decision_is_heard_as_it_is_answered() {
    RecordingListener listener = new RecordingListener();
    LimitStore store = new ObservedLimitStore(counting, listener);

    List<Decision> replied = List.of(decide(store, one), decide(store, one), decide(store, one));

    assertThat(listener.received).isEqualTo(replied);
    assertThat(listener.received).extracting(Decision::allowed).containsExactly(true, true, false);
    assertThat(listener.took).allSatisfy(time -> assertThat(time).isPositive());
  }

  @Test
  void no_decision_is_heard_where_none_was_made() {
    RecordingListener listener = new RecordingListener();
    LimitStore store = new ObservedLimitStore(counting, listener);
    counting.switchOff();
    assertThatThrownBy(() -> store.decide(one)).isInstanceOf(StoreUnavailableException.class);
    assertThat(listener.received).isEmpty();
  }

  @Test
  void a_listener_that_throws_is_warned_of_once_and_spoils_no_decision() {
    LimitStore store = new ObservedLimitStore(counting, new Failing());
    try (LogCapture log = new LogCapture(GuardedListener.class)) {
      assertThat(decide(store, one).allowed()).isTrue();
      assertThat(decide(store, one).allowed()).isTrue();
      assertThat(decide(store, one).allowed()).isFalse();

      assertThat(log.records())
          .extracting(LogRecord::getLevel)
          .containsExactly(Level.WARNING, Level.FINE, Level.FINE);
    }
  }

  @Test
  void every_call_of_a_guarded_listener_is_guarded() {
    LimiterListener guarded = GuardedListener.of(new Failing());
    try (LogCapture log = new LogCapture(GuardedListener.class)) {
      guarded.onStoreSwitched(Source.LOCAL, "why");
      guarded.onProbe(true, "detail");
      guarded.onError("what", new IllegalStateException());
      assertThat(log.records())
          .allSatisfy(entry -> assertThat(entry.getThrown()).isNull())
          .allSatisfy(entry -> assertThat(entry.getMessage()).doesNotContain("broken listener"))
          .extracting(LogRecord::getMessage)
          .satisfiesExactly(
              reported -> assertThat(reported).contains("java.lang.AssertionError at " + place()),
              reported ->
                  assertThat(reported).contains("java.lang.NoClassDefFoundError at " + place()),
              reported ->
                  assertThat(reported).contains("java.lang.IllegalStateException at " + place()));
    }
    assertThat(GuardedListener.of(guarded)).isSameAs(guarded);
  }

  @Test
  void a_listener_that_fails_to_say_what_it_receives_is_warned_of_and_receives_no_decisions() {
    RecordingListener failing =
        new RecordingListener() {
          @Override
          public boolean receivesDecisions() {
            throw new IllegalStateException("broken listener");
          }
        };
    LimitStore store = new ObservedLimitStore(counting, failing);
    try (LogCapture log = new LogCapture(GuardedListener.class)) {
      assertThat(decide(store, one).allowed()).isTrue();
      assertThat(failing.received).isEmpty();
      assertThat(log.records()).extracting(LogRecord::getLevel).containsExactly(Level.WARNING);
    }
  }

  /** An error such as this says nothing about the request. */
  @Test
  void a_listener_that_receives_no_decisions_hears_of_none_though_another_one_does()
      throws Exception {
    RecordingListener without =
        new RecordingListener() {
          @Override
          public boolean receivesDecisions() {
            return false;
          }
        };
    RecordingListener with = new RecordingListener();
    GuardedListener<LimiterListener> both = new GuardedListener<>();
    both.add(without);
    both.add(with);
    Decision decision = new ObservedLimitStore(counting, both).decide(one);
    assertThat(with.received).containsExactly(decision);
    assertThat(without.received).isEmpty();
  }

  @Test
  void only_an_error_of_the_virtual_machine_passes_a_guarded_listener() {
    LimiterListener any =
        GuardedListener.of(
            new LimiterListener() {
              @Override
              public void onError(String what, Throwable error) {
                throw (Error) error;
              }
            });
    try (LogCapture log = new LogCapture(GuardedListener.class)) {
      any.onError("what", new ServiceConfigurationError("no registry"));
      assertThat(log.records()).hasSize(1);
      Error outOfMemory = new OutOfMemoryError();
      assertThatThrownBy(() -> any.onError("what", outOfMemory)).isSameAs(outOfMemory);
    }
  }

  private static String place() {
    return Failing.class.getName();
  }

  @Test
  void a_listener_of_nothing_hears_nothing() {
    LimiterListener.NONE.onStoreSwitched(Source.LOCAL, "why");
    LimiterListener.NONE.onProbe(true, "detail");
    LimiterListener.NONE.onError("what", new IllegalStateException());
    assertThat(decide(new ObservedLimitStore(counting, LimiterListener.NONE), one).allowed())
        .isTrue();
  }

  @Test
  void adjusting_health_and_closing_are_the_observed_stores() {
    LimitStore store = new ObservedLimitStore(counting, LimiterListener.NONE);
    refund(store, decide(store, one));
    assertThat(decide(store, one).binding().remaining()).isEqualTo(1);
    counting.switchOff();
    assertThat(store.isHealthy()).isFalse();
    counting.switchOn();
    store.close();
    assertThatThrownBy(() -> store.decide(one)).isInstanceOf(StoreUnavailableException.class);
  }
}
