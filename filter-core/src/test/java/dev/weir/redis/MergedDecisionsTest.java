package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.data.Offset.offset;

import dev.weir.fixture.SideBySide;
import dev.weir.fixture.TestRun;
import dev.weir.limit.Limit;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.EncodedLimit;
import dev.weir.redis.internal.script.MergedDecisions;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.Script;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.redis.internal.script.ScriptCall.Part;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** Decisions in one batch are answered as if each had been sent alone, one after the other. */
@SideBySide
class MergedDecisionsTest extends OnEveryRedis {

  private static final int TRACES = TestRun.pick(30, 150);
  private static final int BATCHES = 30;
  static final List<Limit> LIMITS =
      List.of(
          Limit.parse("3 per second, burst 6"),
          Limit.parse("1 per 7us, burst 123"),
          Limit.parse("5 per 30 days, burst 40"),
          Limit.parse("3 per second leaky, capacity 6"),
          Limit.parse("7 per second window"),
          Limit.parse("9 per minute window UTC"),
          Limit.parse("10 per second sliding"),
          Limit.parse("4 concurrent, ttl 1s"));

  /** The first limits are token buckets; most batches contain only these. */
  private static final int BUCKETS = 3;

  /**
   * Replies what two keys hold, and how long they live. Held permits are in a sorted set, all else
   * is text. Then the keys expire at the same time, so that later decisions find both or none.
   */
  private static final String TWINS =
      """
      local function state(key)
        if redis.call('TYPE', key).ok == 'zset' then
          return table.concat(redis.call('ZRANGE', key, 0, -1, 'WITHSCORES'), ' ')
        end
        return redis.call('GET', key) or 'nothing'
      end
      local reply = {state(KEYS[1]), state(KEYS[2]),
        redis.call('PTTL', KEYS[1]), redis.call('PTTL', KEYS[2])}
      local time = redis.call('TIME')
      local millis = time[1] * 1000 + math.floor(time[2] / 1000)
      for i = 1, 2 do
        if reply[3] > 0 and reply[4] > 0 then
          redis.call('PEXPIREAT', KEYS[i], string.format('%.0f', millis + reply[3]))
        end
      end
      return reply
      """;

  private final Set<Script> loaded = new HashSet<>();
  private long nowMicros = 1_795_000_000_000_000L;

  private final Commands commands =
      Commands.byNodeTime(
          () -> Instant.ofEpochSecond(nowMicros / 1_000_000, nowMicros % 1_000_000 * 1_000));

  @Test
  void each_is_answered_as_if_it_had_been_asked_alone_and_leaves_the_same_behind() {
    int merged = 0;
    for (int seed = 0; seed < TRACES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      for (int i = 0; i < BATCHES; i++) {
        nowMicros += random.nextInt(3) == 0 ? random.nextLong(2_000_000) : random.nextLong(3);
        int limits = seed % 2 == 0 ? BUCKETS : LIMITS.size();
        if (random.nextInt(4) == 0) {
          block(random.nextInt(limits), random, "batch" + seed);
        }
        merged += follow(requested(random, limits, "batch" + seed), seed);
      }
    }
    assertThat(merged).as("decisions that were asked as one").isGreaterThan(TRACES * BATCHES);
  }

  @Test
  void a_key_lives_for_as_long_as_the_slowest_of_those_who_ask_for_it_needs() {
    String key = "numbers:{a}b";
    ScriptCall granted = decide(key, Limit.parse("100 per second, burst 100"), 100);
    ScriptCall denied = decide(key, Limit.parse("1 per hour, burst 100"), 1);
    for (List<ScriptCall> calls :
        List.of(List.of(granted, denied), List.of(granted, denied, granted))) {
      redis.del(key);
      List<List<Long>> replies =
          new MergedDecisions(calls).replies(run(new MergedDecisions(calls).call(Operation.BATCH)));
      assertThat(replies.get(0).get(0)).isEqualTo(DecisionReply.FITS);
      assertThat(replies.get(1).get(0)).isZero();
      assertThat(redis.pttl(key)).isGreaterThan(TimeUnit.HOURS.toMillis(99));
    }
  }

  @Test
  void of_many_denials_of_one_counter_only_the_first_reads_it() {
    redis.del("held:{a}h");
    run(new MergedDecisions(held(4)).call(Operation.BATCH));
    long zrange = server.calls("zrange");
    long others = server.calls("zcard") + server.calls("pttl");
    MergedDecisions denials = new MergedDecisions(held(64));
    assertThat(denials.replies(run(denials.call(Operation.BATCH))))
        .allMatch(reply -> reply.get(0) == 0);
    assertThat(server.calls("zrange") - zrange).as("its front and its end").isEqualTo(2);
    assertThat(server.calls("zcard") + server.calls("pttl") - others).isEqualTo(2);
  }

  private List<ScriptCall> held(int times) {
    SplittableRandom random = new SplittableRandom(7);
    Limit limit = Limit.parse("4 concurrent, ttl 1m");
    List<ScriptCall> calls = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      Part part = new Part(commands.encode(limit, random.nextLong(1, 1L << 53)), 1);
      calls.add(decide(List.of("held:{a}h"), OptionalLong.empty(), List.of(part)));
    }
    return calls;
  }

  /** Plain decisions use a driver of their own, which leaves the rest of a run to another. */
  @Test
  void a_denial_amid_grants_is_made_where_it_stands_and_the_others_are_made_once() {
    Limit limit = Limit.parse("5 per hour, burst 5");
    List<ScriptCall> calls = new ArrayList<>();
    for (String name : List.of("one", "two", "three")) {
      calls.add(decide("amid:{a}" + name, limit, 1));
    }
    run(decide("amid:{a}two", limit, 5));
    MergedDecisions batch = new MergedDecisions(calls);
    for (Operation operation : List.of(Operation.BATCH, Operation.ACROSS)) {
      long remaining = operation == Operation.BATCH ? 4 : 3;
      List<List<Long>> replies = batch.replies(run(batch.call(operation)));
      assertThat(replies)
          .extracting(reply -> reply.get(0), reply -> reply.get(1))
          .containsExactly(tuple(1L, remaining), tuple(0L, 0L), tuple(1L, remaining));
    }
  }

  @Test
  void a_reply_that_lets_more_in_than_ask_is_none() {
    ScriptCall call = decide("more:{a}b", Limit.parse("100 per second"), 1);
    MergedDecisions twice = new MergedDecisions(List.of(call, call));
    assertThat(twice.replies(List.of(2L, 0L, 0L, 1L, 1L))).hasSize(2);
    assertThatThrownBy(() -> twice.replies(List.of(3L, 0L, 0L, 1L, 1L)))
        .isInstanceOf(JedisConnectionException.class)
        .hasMessageContaining("more fit than were requested");
  }

  @Test
  void a_time_in_place_of_a_decision_over_one_of_two_counters_is_none() {
    List<Part> parts =
        List.of(
            new Part(commands.encode(Limit.parse("100 per second"), 0), 1),
            new Part(commands.encode(Limit.parse("10 per minute"), 0), 1));
    ScriptCall call = decide(List.of("two:{a}b", "two:{a}c"), commands.time(), parts);
    MergedDecisions one = new MergedDecisions(List.of(call));
    assertThat(one.replies(List.of(-2L, 7L, 0L, 0L, 0L, -2L, 7L, 0L, 0L, 0L)))
        .containsExactly(List.of(-2L, 7L));
    assertThatThrownBy(() -> one.replies(List.of(1L, 0L, 0L, 1L, 1L, -2L, 7L, 0L, 0L, 0L)))
        .isInstanceOf(JedisConnectionException.class)
        .hasMessageContaining("its time in place of a decision");
  }

  /**
   * Sends all at once under one name, and one after the other under another. All is one
   * transaction: for Redis no time passes, so no key expires before its twin is written.
   */
  private int follow(List<ScriptCall> calls, int seed) {
    MergedDecisions batch = new MergedDecisions(calls);
    ScriptCall merged = batch.call(seed / 2 % 2 == 0 ? Operation.BATCH : Operation.ACROSS);
    Map<Integer, List<Integer>> inOrder = merged(calls);
    List<Integer> order = inOrder.values().stream().flatMap(List::stream).toList();
    List<ScriptCall> each = order.stream().map(place -> elsewhere(calls.get(place))).toList();
    List<String> keys = calls.stream().flatMap(call -> call.keys().stream()).distinct().toList();

    List<Object> replies = new ArrayList<>(inTransaction(merged, each, keys));
    List<List<Long>> together = batch.replies(merged.read(replies.remove(0)));
    List<List<Long>> alone = new ArrayList<>();
    calls.forEach(call -> alone.add(List.of()));
    for (int i = 0; i < each.size(); i++) {
      alone.set(order.get(i), each.get(i).read(replies.remove(0)));
    }

    for (List<Integer> equals : inOrder.values()) {
      assertSame(equals, together, alone, seed);
    }
    for (int i = 0; i < keys.size(); i++) {
      assertTwins((List<?>) replies.get(i), "seed " + seed + ": " + keys.get(i));
    }
    return calls.size() - inOrder.size();
  }

  private List<Object> inTransaction(ScriptCall merged, List<ScriptCall> each, List<String> keys) {
    Stream.concat(Stream.of(merged), each.stream())
        .map(ScriptCall::script)
        .filter(loaded::add)
        .forEach(script -> redis.scriptLoad(script.text()));
    Connection connection = redis.getConnection();
    connection.executeCommand(new CommandArguments(Protocol.Command.MULTI));
    connection.executeCommand(merged.byDigest());
    each.forEach(call -> connection.executeCommand(call.byDigest()));
    for (String key : keys) {
      connection.executeCommand(
          new CommandArguments(Protocol.Command.EVAL).add(TWINS).add(2).add(key).add("_" + key));
    }
    Object replies = connection.executeCommand(new CommandArguments(Protocol.Command.EXEC));
    return ((List<?>) replies).stream().<Object>map(Objects::requireNonNull).toList();
  }

  /** Checks a reply of {@link #TWINS}. */
  private static void assertTwins(List<?> reply, String which) {
    assertThat((byte[]) reply.get(0)).as(which).isEqualTo((byte[]) reply.get(1));
    assertThat((Long) reply.get(2)).as(which).isCloseTo((Long) reply.get(3), offset(1_000L));
  }

  /** Compares replies; the counter's state is reported after the last of equal ones. */
  private static void assertSame(
      List<Integer> equals, List<List<Long>> together, List<List<Long>> alone, int seed) {
    int last = equals.get(equals.size() - 1);
    for (int place : equals) {
      List<Long> expected = new ArrayList<>(alone.get(place));
      if (equals.size() > 1) {
        expected.set(3, alone.get(last).get(3));
      }
      assertThat(known(together.get(place))).as("seed %d", seed).isEqualTo(known(expected));
    }
  }

  /** Drops the stamp of a denial, which has no use unless it is the rest of a block. */
  private static List<Long> known(List<Long> reply) {
    int last = DecisionReply.FIELDS - 1;
    boolean isUsed = reply.get(0) == DecisionReply.FITS || reply.get(last) < 0;
    return isUsed ? reply : reply.subList(0, last);
  }

  /** Returns equal calls at the position of the first of them. */
  private static Map<Integer, List<Integer>> merged(List<ScriptCall> calls) {
    Map<ScriptCall, Integer> first = new LinkedHashMap<>();
    Map<Integer, List<Integer>> all = new LinkedHashMap<>();
    for (int i = 0; i < calls.size(); i++) {
      ScriptCall call = calls.get(i);
      String letter = call.parts().get(0).limit().letter();
      boolean isAlone = call.keys().size() > 1 || "lh".contains(letter);
      int at = isAlone ? i : first.computeIfAbsent(call, key -> first.size() + 1_000);
      all.computeIfAbsent(isAlone ? i : at, key -> new ArrayList<>()).add(i);
    }
    return all;
  }

  private List<ScriptCall> requested(SplittableRandom random, int limits, String name) {
    List<ScriptCall> calls = new ArrayList<>();
    int size = 1 + random.nextInt(12);
    while (calls.size() < size) {
      if (!calls.isEmpty() && random.nextInt(3) > 0) {
        calls.add(again(calls.get(random.nextInt(calls.size())), random));
      } else if (random.nextInt(3) > 0) {
        calls.add(call(List.of(random.nextInt(limits)), random, name));
      } else {
        int one = random.nextInt(limits - 1);
        calls.add(call(List.of(one, limits - 1), random, name));
      }
    }
    return calls;
  }

  /** Returns the same call again, but with a unique id for held permits. */
  private ScriptCall again(ScriptCall call, SplittableRandom random) {
    List<Part> parts = new ArrayList<>(call.parts());
    int last = parts.size() - 1;
    if (parts.get(last).limit().letter().equals("h")) {
      Limit limit = LIMITS.get(LIMITS.size() - 1);
      EncodedLimit other = commands.encode(limit, random.nextLong(1, 1L << 53));
      parts.set(last, new Part(other, parts.get(last).permits()));
    }
    return decide(call.keys(), call.time(), parts);
  }

  private ScriptCall call(List<Integer> limits, SplittableRandom random, String name) {
    List<String> keys = new ArrayList<>();
    List<Part> parts = new ArrayList<>();
    for (int at : limits) {
      Limit limit = LIMITS.get(at);
      keys.add(name + ":{" + random.nextInt(2) + "}" + at);
      long permits = 1 + random.nextLong(random.nextInt(8) == 0 ? limit.capacity() + 2 : 2);
      parts.add(new Part(commands.encode(limit, random.nextLong(1, 1L << 53)), permits));
    }
    return decide(keys, commands.time(), parts);
  }

  /** Blocks a counter of both. */
  private void block(int at, SplittableRandom random, String name) {
    Counter counter = new Counter("blocked", LIMITS.get(at), Subject.global());
    Duration length = Duration.ofMillis(1 + random.nextInt(2_000));
    String key = name + ":{" + random.nextInt(2) + "}" + at;
    run(commands.adjust(new Adjustment.Block(counter, length), key));
    run(commands.adjust(new Adjustment.Block(counter, length), "_" + key));
  }

  private ScriptCall decide(String key, Limit limit, long permits) {
    Part part = new Part(commands.encode(limit, 0), permits);
    return decide(List.of(key), commands.time(), List.of(part));
  }

  private static ScriptCall decide(List<String> keys, OptionalLong time, List<Part> parts) {
    return ScriptCall.of(Operation.DECIDE, keys, time, parts, List.of());
  }

  private static ScriptCall elsewhere(ScriptCall call) {
    List<String> keys = call.keys().stream().map(key -> "_" + key).toList();
    return decide(keys, call.time(), call.parts());
  }

  private List<Long> run(ScriptCall call) {
    try {
      return call.read(redis.getConnection().executeCommand(call.byDigest()));
    } catch (JedisNoScriptException unknown) {
      redis.scriptLoad(call.script().text());
      return run(call);
    }
  }
}
