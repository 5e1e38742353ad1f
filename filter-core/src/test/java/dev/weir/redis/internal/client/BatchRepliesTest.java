package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.limit.Limit;
import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.client.PendingCall.Outcome;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.redis.internal.script.ScriptCall.Part;
import dev.weir.store.Deadline;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** What replies mean for the calls of a batch, and for the primary. */
class BatchRepliesTest {

  private final JedisDataException full =
      new JedisDataException("OOM command not allowed when used memory > 'maxmemory'.");
  private final JedisDataException unknown = new JedisNoScriptException("NOSCRIPT");

  private final PendingCall one = sent("one");
  private final PendingCall two = sent("two");
  private final List<SubBatch> batch = SubBatch.of(List.of(one, two), RedisKeys::slot, false);

  private static PendingCall sent(String key) {
    ScriptCall reset =
        ScriptCall.of(Operation.RESET, List.of(key), OptionalLong.empty(), List.of(), List.of());
    PendingCall call = new PendingCall(reset, Form.SINGLE, Deadline.after(Duration.ofMinutes(1)));
    call.markSent();
    return call;
  }

  @Test
  void a_part_that_works_hides_no_failure_of_another() {
    BatchReplies replies = new BatchReplies(batch, List.of(1L, full));
    assertThat(replies.health).containsExactly(null, full);
  }

  @Test
  void what_redis_has_not_run_is_sent_again_in_its_order() {
    BatchReplies replies = new BatchReplies(batch, List.of(unknown, unknown));
    assertThat(replies.requeue()).containsExactly(one, two);
    assertThat(replies.health).containsExactly(null, null);
  }

  /** One of them has keys in several slots, and would make every shared batch fail. */
  @Test
  void what_has_keys_in_several_slots_is_sent_again_alone() {
    PendingCall decision = decision();
    PendingCall another = decision();
    List<SubBatch> merged = SubBatch.of(List.of(decision, another), key -> 0, false);
    JedisDataException apart = new JedisDataException("CROSSSLOT Keys don't hash to one slot");
    BatchReplies replies = new BatchReplies(merged, List.of(apart));
    assertThat(replies.requeue()).containsExactly(decision, another);
    assertThat(List.of(decision.form(), another.form())).containsOnly(Form.SINGLE);
    assertThat(replies.hasSlotsApart).isTrue();
  }

  /** Perhaps a right is missing, or a counter breaks the script: the batch does not show which. */
  @Test
  void decisions_that_a_batch_leaves_out_are_sent_alone_and_are_no_success_and_no_missing_right() {
    PendingCall decision = decision();
    PendingCall another = decision();
    List<SubBatch> merged = SubBatch.of(List.of(decision, another), key -> 0, false);
    BatchReplies replies = new BatchReplies(merged, List.of(integers(-3, 0, 0, 0, 0)));
    assertThat(replies.requeue()).containsExactly(decision, another);
    assertThat(replies.hasLeftOut).isTrue();
    assertThat(replies.health).isEmpty();
    assertThat(replies.refused).isEmpty();
  }

  private static List<Object> integers(long... all) {
    return Arrays.stream(all).<Object>mapToObj(Long::valueOf).toList();
  }

  private static PendingCall decision() {
    Commands commands = Commands.byNodeTime(() -> Instant.EPOCH);
    Part part = new Part(commands.encode(Limit.parse("5 per minute"), 0), 1);
    ScriptCall call =
        ScriptCall.of(Operation.DECIDE, List.of("key"), commands.time(), List.of(part), List.of());
    PendingCall pending =
        new PendingCall(call, Form.BATCHED, Deadline.after(Duration.ofMinutes(1)));
    pending.markSent();
    return pending;
  }

  @Test
  void but_not_while_a_later_reply_may_yet_be_none_of_ours() {
    assertThatThrownBy(() -> new BatchReplies(batch, List.of(unknown, "PONG")))
        .isInstanceOf(JedisConnectionException.class);
    assertThat(one.complete(new Outcome.Failed(full))).as("it still counts as sent").isTrue();
  }

  @Test
  void a_server_that_refuses_again_and_again_is_not_believed() {
    for (int i = 0; i < 4; i++) {
      assertThat(new BatchReplies(batch, List.of(unknown, 1L)).requeue()).containsExactly(one);
      one.markSent();
    }
    BatchReplies last = new BatchReplies(batch, List.of(unknown, 1L));
    assertThat(last.requeue()).isEmpty();
    assertThat(last.complete()).isEmpty();
    assertThat(one.outcome()).isInstanceOf(Outcome.Failed.class);
  }

  /** A proxy may have passed it on: permits that it may hold are released. */
  @Test
  void a_call_that_failed_for_an_unknown_reason_may_have_been_run() {
    JedisDataException ofProxy = new JedisDataException("ERR Connection timed out");
    assertThat(new BatchReplies(batch, List.of(ofProxy, full)).unknown).containsExactly(one.call());
  }

  @Test
  void a_reply_for_which_no_thread_waits_is_returned() {
    Outcome.Failed before = new Outcome.Failed(full);
    one.complete(before);
    BatchReplies replies = new BatchReplies(batch, List.of(7L, 1L));
    assertThat(replies.complete())
        .extracting(BatchReplies.Late::reply)
        .containsExactly(List.of(7L));
    assertThat(one.outcome()).isEqualTo(before);
    assertThat(two.outcome()).isEqualTo(new Outcome.Replied(List.of(1L)));
  }
}
