package dev.weir.redis.internal.client;

import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.script.MergedDecisions;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One command of a batch, and the calls that it carries: several decisions, or one call of any
 * kind. The keys of the decisions share a slot, unless the server runs scripts across slots.
 *
 * @param merged separates the replies of several decisions; null for one call
 */
record SubBatch(List<PendingCall> calls, @Nullable MergedDecisions merged, ScriptCall call) {

  private static SubBatch of(List<PendingCall> calls, Operation operation) {
    if (calls.size() == 1) {
      return new SubBatch(calls, null, calls.get(0).call());
    }
    List<ScriptCall> decisions = new ArrayList<>(calls.size());
    for (PendingCall call : calls) {
      decisions.add(call.call());
    }
    MergedDecisions merged = new MergedDecisions(decisions);
    return new SubBatch(calls, merged, merged.call(operation));
  }

  /** Returns a command for each of these calls. */
  static List<SubBatch> alone(List<PendingCall> calls) {
    List<SubBatch> parts = new ArrayList<>(calls.size());
    for (PendingCall call : calls) {
      parts.add(new SubBatch(List.of(call), null, call.call()));
    }
    return parts;
  }

  /** Returns the commands for these calls, in the order of the first call of each. */
  static List<SubBatch> of(
      List<PendingCall> calls, ToIntFunction<String> slots, boolean mayCrossSlots) {
    boolean shareScript =
        mayCrossSlots
            && calls.stream()
                    .filter(call -> call.form() == Form.BATCHED)
                    .mapToInt(call -> slot(call, slots))
                    .distinct()
                    .limit(2)
                    .count()
                > 1;
    Map<Integer, List<PendingCall>> bySlot = new LinkedHashMap<>();
    int alone = -1;
    for (PendingCall call : calls) {
      int slot = alone;
      if (call.form() != Form.BATCHED) {
        alone--;
      } else {
        slot = shareScript ? 0 : slot(call, slots);
      }
      bySlot.computeIfAbsent(slot, number -> new ArrayList<>()).add(call);
    }
    Operation operation = shareScript ? Operation.ACROSS : Operation.BATCH;
    List<SubBatch> parts = new ArrayList<>(bySlot.size());
    for (List<PendingCall> each : bySlot.values()) {
      parts.add(of(each, operation));
    }
    return parts;
  }

  private static int slot(PendingCall call, ToIntFunction<String> slots) {
    return slots.applyAsInt(call.call().keys().get(0));
  }

  boolean isAsking() {
    return calls.get(0).form() == Form.ASKING;
  }

  /** Returns whether the server has refused the script of a call when it was sent again. */
  boolean isRefusedAgain() {
    return calls.get(0).isRefusedAgain();
  }

  /** Returns the integers of the reply to each call. */
  List<List<Long>> replies(@Nullable Object reply) {
    List<Long> integers = call.read(reply);
    return merged == null ? List.of(integers) : merged.replies(integers);
  }
}
