package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.SideBySide;
import dev.weir.limit.Limit;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.MergedDecisions;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.redis.internal.script.ScriptCall.Part;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import redis.clients.jedis.Jedis;

/** One script call for decisions of many slots, on a primary that allows it. */
@SideBySide
@Execution(ExecutionMode.CONCURRENT) // they mostly wait for a cluster
class RedisClusterAcrossTest extends ClusterUnderTest {

  private final Commands commands = Commands.byServerTime(Instant::now);
  private long lastId;

  @BeforeEach
  void connect() {
    connectPatiently();
  }

  @Test
  void a_batch_of_many_slots_is_one_call() {
    List<AcquireRequest> requests = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      requests.add(AcquireRequests.request(charge("across", LIMIT, subjectOn(0), 1)));
    }
    Awaitility.await()
        .untilAsserted(
            () -> {
              long before = cluster.get(0).calls("evalsha");
              List<CompletableFuture<Decision.Counted>> answers =
                  Gathering.at(cluster.get(0), store, requests);
              assertThat(answers).allMatch(answer -> answer.join().verdicts().size() == 1);
              long aloneAndHeartbeats = 15;
              assertThat(cluster.get(0).calls("evalsha") - before)
                  .as("the first ones leave alone, as they come")
                  .isLessThan(aloneAndHeartbeats);
            });
  }

  @Test
  void a_key_that_is_not_local_fails_for_its_own_decision_alone() {
    List<Limit> limits =
        List.of(
            Limit.parse(LIMIT),
            Limit.parse("10 per 30 days window"),
            Limit.parse("10 per 30 days sliding"),
            Limit.parse("10 concurrent, ttl 1h"));
    for (Limit limit : limits) {
      List<Subject> subjects = List.of(subjectOn(0), subjectOn(1), subjectOn(0), subjectOn(2));
      List<ScriptCall> calls = subjects.stream().map(subject -> call(limit, subject)).toList();
      MergedDecisions batch = new MergedDecisions(calls);
      assertThat(fits(batch)).as("%s", limit).containsExactly(1L, -3L, 1L, -3L);
      assertThat(keysAt(0, limit, subjects)).isEqualTo(2);
      assertThat(keysAt(1, limit, subjects)).isZero();
    }
  }

  @Test
  void of_two_limits_neither_is_charged_where_one_is_on_its_way() {
    Subject moving = subjectOn(0);
    Charge here = charge("here", LIMIT, moving, 1);
    Charge there = charge("there", "10 concurrent, ttl 1h", moving, 1);
    decide(store, here);
    beginMove(moving);
    for (List<Charge> order : List.of(List.of(here, there), List.of(there, here))) {
      ScriptCall both = call(order);
      ScriptCall other = call(Limit.parse(LIMIT), subjectOn(0));
      assertThat(fits(new MergedDecisions(List.of(both, other)))).containsExactly(-3L, 1L);
    }
    assertThat(AcquireRequests.peek(store, here).binding().remaining()).isEqualTo(9);
  }

  @Test
  void what_is_no_limit_of_ours_counts_as_nothing_or_is_sent_alone() {
    for (String garbage : List.of("garbage", "!elsewhere")) {
      Charge one = charge("garbage", LIMIT, subjectOn(0), 1);
      try (Jedis redis = cluster.get(0).client()) {
        redis.set(KEYS.key(one.counter()), garbage);
      }
      List<AcquireRequest> requests = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        requests.add(AcquireRequests.request(one));
        requests.add(AcquireRequests.request(charge("other", LIMIT, subjectOn(0), 1)));
      }
      assertThat(Gathering.at(cluster.get(0), store, requests))
          .allMatch(answer -> answer.join().allowed());
      assertThat(AcquireRequests.peek(store, one).binding().remaining()).isEqualTo(5);
    }
  }

  private ScriptCall call(Limit limit, Subject subject) {
    Charge charge = new Charge(new Counter("across", limit, subject), 1);
    return call(List.of(charge));
  }

  private ScriptCall call(List<Charge> charges) {
    List<String> keys = new ArrayList<>();
    List<Part> parts = new ArrayList<>();
    for (Charge charge : charges) {
      keys.add(KEYS.key(charge.counter()));
      long id = ++lastId;
      parts.add(new Part(commands.encode(charge.counter().limit(), id), charge.permits()));
    }
    return ScriptCall.of(Operation.DECIDE, keys, commands.time(), parts, List.of());
  }

  /** Returns the first integer of each reply. */
  private List<Long> fits(MergedDecisions batch) {
    ScriptCall call = batch.call(Operation.ACROSS);
    try (Jedis redis = cluster.get(0).client()) {
      Object reply = redis.getConnection().executeCommand(call.inFull());
      return batch.replies(call.read(reply)).stream().map(fields -> fields.get(0)).toList();
    }
  }

  private long keysAt(int server, Limit limit, List<Subject> subjects) {
    try (Jedis redis = cluster.get(server).client()) {
      return subjects.stream()
          .filter(subject -> serverOf(subject) == server)
          .filter(subject -> redis.exists(KEYS.key(new Counter("across", limit, subject))))
          .count();
    }
  }
}
