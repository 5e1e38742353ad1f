package dev.weir.redis.internal.client;

import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.client.PendingCall.Outcome;
import dev.weir.redis.internal.script.MergedDecisions;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * One command of a batch, and the calls that it carries: several decisions whose keys share a slot,
 * or one call of any kind.
 *
 * @param merged tells the replies of several decisions apart; null for one call
 */
record SubBatch(List<PendingCall> calls, @Nullable MergedDecisions merged, ScriptCall call) {

  private static SubBatch of(List<PendingCall> calls) {
    if (calls.size() == 1) {
      return new SubBatch(calls, null, calls.get(0).call());
    }
    List<ScriptCall> decisions = new ArrayList<>(calls.size());
    for (PendingCall call : calls) {
      decisions.add(call.call());
    }
    MergedDecisions merged = new MergedDecisions(decisions);
    return new SubBatch(calls, merged, merged.call());
  }

  /**
   * The commands for these calls, in the order of the first call of each.
   *
   * @param slots which keys one command may have
   */
  static List<SubBatch> of(List<PendingCall> calls, ToIntFunction<String> slots) {
    if (calls.size() == 1) {
      return List.of(of(calls));
    }
    Map<Integer, List<PendingCall>> bySlot = new LinkedHashMap<>();
    int alone = -1;
    for (PendingCall call : calls) {
      int slot =
          call.form() == Form.BATCHED ? slots.applyAsInt(call.call().keys().get(0)) : alone--;
      bySlot.computeIfAbsent(slot, number -> new ArrayList<>()).add(call);
    }
    List<SubBatch> parts = new ArrayList<>(bySlot.size());
    for (List<PendingCall> each : bySlot.values()) {
      parts.add(of(each));
    }
    return parts;
  }

  boolean isAsking() {
    return calls.get(0).form() == Form.ASKING;
  }

  /**
   * Adds the commands to send.
   *
   * @param isKnown whether the server knows the script by its digest
   */
  void addTo(List<CommandArguments> commands, boolean isKnown) {
    if (isAsking()) {
      commands.add(new CommandArguments(Command.ASKING));
    }
    commands.add(isKnown ? call.byName() : call.inFull());
  }

  /**
   * What came of each call.
   *
   * @throws redis.clients.jedis.exceptions.JedisException when no script of ours replies this
   */
  List<Outcome> outcomes(@Nullable Object reply) {
    List<Long> integers = call.read(reply);
    if (merged == null) {
      return List.of(new Outcome.Replied(integers));
    }
    List<Outcome> outcomes = new ArrayList<>(calls.size());
    for (List<Long> each : merged.replies(integers)) {
      outcomes.add(new Outcome.Replied(each));
    }
    return outcomes;
  }
}
