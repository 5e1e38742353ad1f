package dev.weir.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.Jedis;

/** Runs whole traces through the very Lua files, one call for each. */
final class LuaTrace {

  private static final Script SCRIPT = Script.ofAllLimits("trace", Reply.DECISION);

  private LuaTrace() {}

  /** One reply for each step; that of an overwrite is empty but for its state. */
  static List<Step.Reply> run(Jedis redis, List<? extends Step> steps) {
    List<String> arguments = new ArrayList<>();
    steps.forEach(step -> add(step, arguments));
    Object reply = redis.eval(SCRIPT.text(), List.of(), arguments);
    List<String> fields = ((List<?>) reply).stream().map(String::valueOf).toList();
    List<Step.Reply> replies = new ArrayList<>();
    int at = 0;
    for (Step step : steps) {
      if (step instanceof Step.Decide) {
        replies.add(
            new Step.Reply(
                number(fields, at),
                number(fields, at + 1),
                number(fields, at + 2),
                number(fields, at + 3),
                number(fields, at + 4),
                number(fields, at + 5),
                fields.get(at + 6)));
        at += 7;
      } else if (step instanceof Step.Overwrite overwrite) {
        replies.add(Step.Reply.NONE.storing(0, overwrite.state()));
      } else {
        replies.add(Step.Reply.NONE.storing(number(fields, at), fields.get(at + 1)));
        at += 2;
      }
    }
    return replies;
  }

  private static long number(List<String> fields, int at) {
    return Long.parseLong(fields.get(at));
  }

  private static void add(Step step, List<String> arguments) {
    if (step instanceof Step.Decide decide) {
      addHead("d", decide.now(), decide.stepsBack(), arguments);
      Duration patience = Duration.of(decide.patience(), ChronoUnit.MICROS);
      questions(decide.now())
          .addPatient(decide.limit(), decide.permits(), decide.now(), patience, arguments);
    } else if (step instanceof Step.GiveBack back) {
      addHead("g", back.now(), back.stepsBack(), arguments);
      questions(back.now()).addStamped(back.limit(), back.permits(), back.stamp(), arguments);
    } else if (step instanceof Step.Reward reward) {
      addHead("r", reward.now(), reward.stepsBack(), arguments);
      questions(reward.now()).add(reward.limit(), reward.permits(), arguments);
    } else if (step instanceof Step.Owe owe) {
      addHead("o", owe.now(), owe.stepsBack(), arguments);
      questions(owe.now()).add(owe.limit(), owe.permits(), arguments);
    } else if (step instanceof Step.Renew renew) {
      addHead("n", renew.now(), renew.stepsBack(), arguments);
      questions(renew.now()).addStamped(renew.limit(), 1, renew.stamp(), arguments);
    } else if (step instanceof Step.Block block) {
      addHead("b", block.now(), block.stepsBack(), arguments);
      arguments.add(Long.toString(block.length()));
    } else if (step instanceof Step.Overwrite overwrite) {
      arguments.add("s");
      arguments.add(overwrite.state());
    }
  }

  private static void addHead(String kind, long now, boolean stepsBack, List<String> arguments) {
    arguments.add(kind);
    arguments.add(Long.toString(now));
    arguments.add(stepsBack ? "1" : "0");
  }

  /** Calendars are computed for the trace's own time, and holds are named by it. */
  private static Questions questions(long now) {
    return new Questions(
        RedisClock.REDIS, () -> Instant.EPOCH.plus(now, ChronoUnit.MICROS), () -> now);
  }
}
