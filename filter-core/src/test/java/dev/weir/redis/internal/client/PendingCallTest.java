package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.client.PendingCall.Outcome;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What happens to a call when its thread does not wait for its reply, and to all others. */
class PendingCallTest {

  private static final Outcome REPLY = new Outcome.Replied(List.of(1L));

  private static PendingCall within(Duration time) {
    ScriptCall call =
        ScriptCall.of(Operation.RESET, List.of("key"), OptionalLong.empty(), List.of(), List.of());
    return new PendingCall(call, Form.SINGLE, Deadline.after(time));
  }

  private final PendingCall call = within(Duration.ofMinutes(1));

  @Test
  void a_call_is_sent_once_and_completed_once() {
    assertThat(call.markSent()).isTrue();
    assertThat(call.markSent()).isFalse();
    assertThat(call.complete(REPLY)).isTrue();
    assertThat(call.complete(new Outcome.Replied(List.of(2L)))).isFalse();
    assertThat(call.isOver()).isTrue();
    assertThat(call.outcome()).isEqualTo(REPLY);
  }

  @Test
  void one_that_times_out_before_it_is_sent_is_never_sent() {
    PendingCall late = within(Duration.ZERO);
    assertThat(late.park()).isFalse();
    assertThat(late.isOver()).isTrue();
    assertThat(late.markSent()).isFalse();
    assertThat(late.outcome()).isEqualTo(new Outcome.Abandoned(false));
  }

  @Test
  void of_one_that_times_out_afterwards_the_outcome_is_unknown_and_its_reply_has_no_reader() {
    PendingCall late = within(Duration.ZERO);
    late.markSent();
    late.park();
    assertThat(late.isOver()).isTrue();
    assertThat(late.complete(REPLY)).as("so that its grant is refunded").isFalse();
    assertThat(late.outcome()).isEqualTo(new Outcome.Abandoned(true));
  }

  @Test
  void what_its_thread_gives_up_after_the_reply_is_still_answered() {
    call.markSent();
    call.complete(REPLY);
    assertThat(call.abandon()).isFalse();
    assertThat(call.outcome()).isEqualTo(REPLY);
  }

  @Test
  void what_its_thread_gives_up_before_is_not() {
    assertThat(call.abandon()).isTrue();
    assertThat(call.outcome()).isEqualTo(new Outcome.Abandoned(false));

    PendingCall sent = within(Duration.ofMinutes(1));
    sent.markSent();
    assertThat(sent.abandon()).isTrue();
    assertThat(sent.outcome()).isEqualTo(new Outcome.Abandoned(true));
  }

  @Test
  void an_interrupt_ends_no_wait_of_a_call_that_was_not_sent() {
    Thread.currentThread().interrupt();
    assertThat(call.park()).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).as("the caller sets it again").isFalse();
    assertThat(call.isOver()).isFalse();
    assertThat(call.markSent()).isTrue();
  }

  @Test
  void nor_of_one_that_was() {
    call.markSent();
    Thread.currentThread().interrupt();
    assertThat(call.park()).isTrue();
    assertThat(call.isOver()).isFalse();
    assertThat(call.complete(REPLY)).isTrue();
    assertThat(call.outcome()).isEqualTo(REPLY);
  }

  @Test
  void one_that_Redis_did_not_run_is_sent_again_but_not_for_ever() {
    for (int i = 0; i < 4; i++) {
      assertThat(call.markSent()).isTrue();
      assertThat(call.requeue(Form.SINGLE)).isTrue();
    }
    call.markSent();
    assertThat(call.requeue(Form.SINGLE)).isFalse();
  }

  @Test
  void one_that_timed_out_meanwhile_is_not_sent_again() {
    PendingCall late = within(Duration.ZERO);
    late.markSent();
    late.park();
    assertThat(late.requeue(Form.SINGLE)).isFalse();
  }
}
