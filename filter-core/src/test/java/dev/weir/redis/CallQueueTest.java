package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Deadline;
import dev.weir.redis.PendingCall.Form;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which calls are sent first, and how many at once. */
class CallQueueTest {

  private static final int MICROS = 10;

  private final CallQueue queue = new CallQueue();

  private static PendingCall call(Script script, int keys) {
    ScriptCall call =
        new ScriptCall(script, Collections.nCopies(keys, "key"), List.of(""), MICROS, List.of());
    return new PendingCall(call, Form.BATCHED, Deadline.after(Duration.ofMinutes(1)));
  }

  private PendingCall added(Script script) {
    PendingCall call = call(script, 1);
    queue.add(call);
    return call;
  }

  @Test
  void calls_leave_in_order_of_arrival() {
    List<PendingCall> calls = List.of(added(Script.ALL), added(Script.ONE_BUCKET));
    assertThat(queue.take(1_000)).isEqualTo(calls);
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void heartbeats_and_renewals_overtake_decisions_and_refunds_yield_to_both() {
    PendingCall refund = added(Script.GIVE_BACK);
    PendingCall decision = added(Script.ONE_BUCKET);
    PendingCall renewal = added(Script.RENEW);
    PendingCall heartbeat = added(Script.HEARTBEAT);
    assertThat(queue.take(2 * MICROS)).containsExactly(renewal, heartbeat);
    assertThat(queue.take(3 * MICROS)).containsExactly(decision, refund);
  }

  @Test
  void of_many_decisions_refunds_are_a_quarter_of_each_batch() {
    for (int i = 0; i < 100; i++) {
      added(Script.ONE_BUCKET);
      added(Script.GIVE_BACK);
    }
    assertThat(queue.take(20 * MICROS))
        .hasSize(20)
        .filteredOn(call -> call.call().script().equals(Script.GIVE_BACK))
        .hasSize(5);
  }

  @Test
  void a_batch_is_full_when_it_would_keep_Redis_busy_for_longer() {
    for (int i = 0; i < 5; i++) {
      added(Script.ONE_BUCKET);
    }
    assertThat(queue.take(2 * MICROS)).hasSize(2);
    assertThat(queue.take(2 * MICROS + 1)).hasSize(2);
    assertThat(queue.take(1)).as("at least one").hasSize(1);
    assertThat(queue.take(1)).isEmpty();
  }

  @Test
  void or_when_Lua_could_not_unpack_its_keys() {
    queue.add(call(Script.ALL, 100));
    queue.add(call(Script.ALL, 28));
    queue.add(call(Script.ALL, 1));
    queue.add(call(Script.ALL, 500));
    assertThat(queue.take(1_000)).hasSize(2);
    assertThat(queue.take(1_000)).hasSize(1);
    assertThat(queue.take(1_000)).as("one alone may have more").hasSize(1);
  }

  @Test
  void what_is_put_back_leaves_first_and_in_its_order() {
    List<PendingCall> first = List.of(added(Script.ALL), added(Script.ALL));
    PendingCall last = added(Script.ALL);
    List<PendingCall> taken = queue.take(2 * MICROS);
    queue.putBack(taken);
    assertThat(queue.drain()).containsExactly(first.get(0), first.get(1), last);
  }
}
