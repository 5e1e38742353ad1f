package dev.weir.redis;

import dev.weir.limit.Concurrency;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.FixedWindow.CalendarWindow;
import dev.weir.limit.Limit;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.EncodedLimit;
import dev.weir.redis.internal.script.Script;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;

/** A run of whole traces through the production Lua files, one call for each. */
final class LuaTrace {

  static final Script SCRIPT = Script.of("trace");

  private final List<String> arguments = new ArrayList<>();
  private final Map<Limit, List<String>> numbers = new HashMap<>();
  private List<String> current = List.of();
  private int key;

  private LuaTrace() {}

  /** Returns one reply for each step; that of an overwrite is empty but for its state. */
  static List<Step.Reply> run(Jedis redis, List<? extends Step> steps) {
    List<TraceStep> turns = TraceStep.ofOneKey(steps);
    send(redis.getConnection(), SCRIPT.text(), Command.EVAL, turns);
    return receive(redis.getConnection(), turns).stream().map(Replied::reply).toList();
  }

  /**
   * Sends a trace and does not wait.
   *
   * @param script its text or its name, as the command requires it
   */
  static void send(Connection redis, String script, Command command, List<TraceStep> turns) {
    LuaTrace trace = new LuaTrace();
    turns.stream()
        .map(TraceStep::step)
        .flatMap(LuaTrace::limits)
        .findFirst()
        .ifPresent(trace::begin);
    CommandArguments call = new CommandArguments(command).add(script).add(0);
    turns.forEach(trace::add);
    trace.arguments.forEach(call::add);
    redis.sendCommand(call);
  }

  /** Returns the result of the trace that was sent first. */
  static List<Replied> receive(Connection redis, List<TraceStep> turns) {
    byte[] text = (byte[]) redis.getOne();
    return new AnswerReader(new String(text, StandardCharsets.UTF_8)).all(turns);
  }

  private static Stream<Step.Decide> limits(Step step) {
    return step instanceof Step.Decide decide ? Stream.of(decide) : Stream.empty();
  }

  /** Sets a limit first: a block also belongs to some limit. */
  private void begin(Step.Decide first) {
    follow(first.limit(), first.now(), first.now());
  }

  private void add(TraceStep turn) {
    if (turn.key() != key) {
      key = turn.key();
      arguments.add("k");
      arguments.add(Integer.toString(key));
    }
    add(turn.step());
  }

  private void add(Step step) {
    if (step instanceof Step.Decide decide) {
      follow(decide.limit(), decide.now(), decide.now());
      String kind = decide.isTried() ? "p" : "d";
      add(kind, decide.now(), decide.stepsBack(), decide.permits(), decide.patience());
    } else if (step instanceof Step.Refund back) {
      follow(back.limit(), back.now(), back.stamp());
      add("g", back.now(), back.stepsBack(), back.permits(), back.stamp(), back.granted());
    } else if (step instanceof Step.Reward reward) {
      follow(reward.limit(), reward.now(), reward.now());
      add("r", reward.now(), reward.stepsBack(), reward.permits());
    } else if (step instanceof Step.Owe owe) {
      follow(owe.limit(), owe.now(), owe.now());
      add("o", owe.now(), owe.stepsBack(), owe.permits());
    } else if (step instanceof Step.Renew renew) {
      follow(renew.limit(), renew.now(), renew.stamp());
      add("n", renew.now(), renew.stepsBack(), renew.stamp());
    } else if (step instanceof Step.Block block) {
      add("b", block.now(), block.stepsBack(), block.length());
    } else if (step instanceof Step.Unblock unblock) {
      follow(unblock.limit(), unblock.now(), unblock.now());
      add("f", unblock.now(), unblock.stepsBack());
    } else if (step instanceof Step.Overwrite overwrite) {
      arguments.add("s");
      arguments.add(overwrite.state());
    } else if (step instanceof Step.Reset reset) {
      add("z", reset.now(), reset.stepsBack());
    } else if (step instanceof Step.Leasing leasing) {
      add(leasing);
    }
  }

  private void add(Step.Leasing step) {
    if (step instanceof Step.Cut cut) {
      add("c", cut.time(), cut.node(), cut.keep());
    } else if (step instanceof Step.Renewal renewal) {
      follow(renewal.limit(), renewal.now(), renewal.now());
      add("e", renewal.now(), renewal.stepsBack(), renewal.node(), renewal.wanted());
    } else if (step instanceof Step.Arrival arrival) {
      add("a", arrival.node());
    } else if (step instanceof Step.Spend spend) {
      add("u", spend.time(), spend.node(), spend.permits());
    } else if (step instanceof Step.Death death) {
      add("x", death.node());
    }
  }

  private void add(String kind, long... numbersOfStep) {
    arguments.add(kind);
    for (long number : numbersOfStep) {
      arguments.add(Long.toString(number));
    }
  }

  private void add(String kind, long now, boolean stepsBack, long... more) {
    arguments.add(kind);
    arguments.add(Long.toString(now));
    arguments.add(stepsBack ? "1" : "0");
    for (long number : more) {
      arguments.add(Long.toString(number));
    }
  }

  /** Passes the id, because permits are named by the time of their grant. */
  private void follow(Limit limit, long now, long id) {
    List<String> next = numbers.get(limit);
    if (next == null || limit instanceof Concurrency || isOutside(limit, next, now)) {
      next = numbers(limit, now, id);
      numbers.put(limit, next);
    }
    if (!next.equals(current)) {
      current = next;
      arguments.add("l");
      arguments.addAll(next);
    }
  }

  /** Returns whether a time is outside of the calendar window of these numbers. */
  private static boolean isOutside(Limit limit, List<String> numbers, long now) {
    return limit instanceof FixedWindow fixed
        && fixed.window() instanceof CalendarWindow
        && (now < Long.parseLong(numbers.get(4)) || now >= Long.parseLong(numbers.get(5)));
  }

  /** Returns the letter and the numbers as the store sends them. */
  private static List<String> numbers(Limit limit, long now, long id) {
    Instant instant = Instant.EPOCH.plus(now, ChronoUnit.MICROS);
    EncodedLimit encoded = Commands.byServerTime(() -> instant).encode(limit, id);
    List<String> sent = new ArrayList<>(List.of(encoded.letter()));
    encoded.numbers().forEach(number -> sent.add(Long.toString(number)));
    return sent;
  }
}
