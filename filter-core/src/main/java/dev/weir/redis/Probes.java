package dev.weir.redis;

import dev.weir.limit.Limit;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.MergedDecisions;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The writes of probes. Each is a charge to a bucket of our own that always grants, by the same
 * script that requests run.
 */
final class Probes {

  private static final Limit LIMIT = Limit.parse("1000 per second, burst 1_000_000");
  private static final int MOST_TAGS = 1 << 20;

  /** Enough for a primary with a hundredth of all slots. */
  private static final int MOST_TAGS_ACROSS = 1_000;

  private final RedisKeys keys;
  private final Commands commands;

  Probes(RedisKeys keys, Commands commands) {
    this.keys = keys;
    this.commands = commands;
  }

  ScriptCall anywhere() {
    return writing(keys.reserved("probe"));
  }

  /** Returns a write to a key in a suitable slot; null when there is none. */
  @Nullable ScriptCall where(IntPredicate slotWillDo) {
    for (int i = 0; i < MOST_TAGS; i++) {
      String key = keys.reserved("probe-" + i);
      if (slotWillDo.test(RedisKeys.slot(key))) {
        return writing(key);
      }
    }
    return null;
  }

  /**
   * Returns a write to two keys in two suitable slots, by a script across slots. Returns null when
   * a short search finds none.
   */
  @Nullable ScriptCall across(IntPredicate slotWillDo) {
    Map<Integer, ScriptCall> bySlot = new LinkedHashMap<>();
    for (int i = 0; i < MOST_TAGS_ACROSS && bySlot.size() < 2; i++) {
      String key = keys.reserved("probe-" + i);
      int slot = RedisKeys.slot(key);
      if (slotWillDo.test(slot)) {
        bySlot.putIfAbsent(slot, writing(key));
      }
    }
    return bySlot.size() < 2
        ? null
        : new MergedDecisions(List.copyOf(bySlot.values())).call(Operation.ACROSS);
  }

  private ScriptCall writing(String key) {
    ScriptCall.Part part = new ScriptCall.Part(commands.encode(LIMIT, 0), 1);
    return ScriptCall.of(Operation.DECIDE, List.of(key), commands.time(), List.of(part), List.of());
  }
}
