package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which calls are sent first, and how many at once. */
class CallQueueTest {

  /** A tenth of a batch. */
  private static final int MICROS = InFlightWindow.BATCH_MICROS / 10;

  private final CallQueue queue = new CallQueue();

  private static PendingCall call(Operation operation, int micros) {
    ScriptCall call =
        new ScriptCall(
            operation,
            List.of("key"),
            OptionalLong.empty(),
            List.of(),
            List.of(),
            micros,
            List.of());
    return new PendingCall(call, Form.BATCHED, Deadline.after(Duration.ofMinutes(1)));
  }

  private PendingCall added(Operation operation) {
    PendingCall call = call(operation, MICROS);
    queue.add(call);
    return call;
  }

  @Test
  void calls_leave_in_order_of_arrival() {
    List<PendingCall> calls = List.of(added(Operation.DECIDE), added(Operation.DECIDE));
    assertThat(queue.take()).isEqualTo(calls);
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void heartbeats_and_renewals_overtake_decisions_and_refunds() {
    PendingCall refund = added(Operation.REFUND);
    PendingCall decision = added(Operation.DECIDE);
    PendingCall renewal = added(Operation.RENEW);
    PendingCall heartbeat = added(Operation.HEARTBEAT);
    assertThat(queue.take()).startsWith(renewal, heartbeat).contains(decision, refund);
  }

  @Test
  void of_many_decisions_refunds_are_a_quarter_of_each_batch() {
    for (int i = 0; i < 100; i++) {
      added(Operation.DECIDE);
      added(Operation.REFUND);
    }
    assertThat(queue.take())
        .hasSize(10)
        .filteredOn(call -> call.call().operation() == Operation.REFUND)
        .hasSize(2);
  }

  @Test
  void a_batch_is_full_when_it_would_keep_Redis_busy_for_longer() {
    for (int i = 0; i < 25; i++) {
      added(Operation.DECIDE);
    }
    assertThat(queue.take()).hasSize(10);
    assertThat(queue.take()).hasSize(10);
    assertThat(queue.take()).hasSize(5);
    assertThat(queue.take()).isEmpty();
  }

  @Test
  void a_call_that_costs_more_than_a_batch_may_is_sent_in_its_turn() {
    PendingCall renewal = call(Operation.RENEW, 10 * InFlightWindow.BATCH_MICROS);
    PendingCall refund = call(Operation.REFUND, 10 * InFlightWindow.BATCH_MICROS);
    for (int i = 0; i < 20; i++) {
      added(Operation.DECIDE);
    }
    queue.add(refund);
    queue.add(renewal);
    assertThat(queue.take()).startsWith(renewal).doesNotContain(refund);
    assertThat(queue.take()).startsWith(refund);
  }

  @Test
  void calls_for_which_no_thread_waits_are_left_out() {
    PendingCall over = added(Operation.DECIDE);
    PendingCall waiting = added(Operation.DECIDE);
    over.refuse(new NotSentException("over", StoreUnavailableException.Kind.OUTAGE));
    assertThat(queue.take()).containsExactly(waiting);
  }

  @Test
  void what_is_put_back_leaves_first_and_in_its_order() {
    List<PendingCall> first = List.of(added(Operation.DECIDE), added(Operation.DECIDE));
    List<PendingCall> taken = queue.take();
    PendingCall last = added(Operation.DECIDE);
    queue.putBack(taken);
    assertThat(queue.drain()).containsExactly(first.get(0), first.get(1), last);
  }
}
