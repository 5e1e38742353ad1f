package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.MergedDecisions;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.Script;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * What probes write: a charge to a bucket of our own that always grants, by the very script that
 * requests run.
 */
final class Probes {

  private static final Limit LIMIT = Limit.parse("1000 per second, burst 1_000_000");
  private static final int MOST_TAGS = 1 << 20;

  /** Enough where a primary has a hundredth of all slots. */
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

  /** On a key in a slot that will do; null when none does. */
  @Nullable ScriptCall where(IntPredicate slotWillDo) {
    for (int i = 0; i < MOST_TAGS; i++) {
      String key = keys.reserved("probe-" + i);
      if (slotWillDo.test(RedisKeys.slot(key))) {
        return writing(key);
      }
    }
    return null;
  }

  /** Over two keys in two such slots, by a script across slots; null where none are found soon. */
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
        : new MergedDecisions(List.copyOf(bySlot.values())).call(Script.ACROSS);
  }

  private ScriptCall writing(String key) {
    List<String> arguments = new ArrayList<>();
    arguments.add(commands.time());
    commands.add(LIMIT, 1, arguments);
    return new ScriptCall(Script.one(LIMIT), List.of(key), arguments);
  }
}
