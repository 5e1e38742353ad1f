package dev.weir.redis;

import static dev.weir.AcquireRequests.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.AcquireRequest;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.FailoverLimitStore;
import dev.weir.Full;
import dev.weir.LimitStore;
import dev.weir.OnOutage;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.Subject;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.redis.internal.script.RedisKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/**
 * Servers fail and slots move under load. Every request is decided by its deadline. Requests to
 * servers that stay are not affected. The machine itself may delay an answer, so the longest delay
 * of a period before is allowed.
 */
@Full
@SuppressWarnings("SystemOut") // the figures are this test's result
class ChangingServersTest {

  private static final Duration DEADLINE = Duration.ofMillis(100);
  private static final Duration GRACE = Duration.ofMillis(20);
  private static final Duration CONTROL = Duration.ofSeconds(2);
  private static final int THREADS = 6;
  private static final int SUBJECTS = 60;
  private static final int SLOTS_MOVED = 1_000;

  private final Recorder heard = new Recorder();

  /** A decision, or none, for a subject of so many. */
  private record Answer(int subject, Source source, Duration took) {}

  @Test
  void one_of_three_primaries_that_is_killed_disturbs_none_of_the_others() throws Exception {
    try (RedisServers cluster = RedisServers.cluster(RedisVersion.newest(), 3);
        LimitStore store = store(cluster.uri())) {
      List<Subject> subjects = subjects();
      List<Answer> control = answers(store, subjects, () -> pass(CONTROL));
      List<Answer> answers =
          answers(
              store,
              subjects,
              () -> {
                cluster.get(2).kill();
                pass(CONTROL);
              });
      assertInTime("killed", answers, control);
      assertThat(answers)
          .filteredOn(answer -> ClusterUnderTest.serverOf(subjects.get(answer.subject())) != 2)
          .extracting(Answer::source)
          .containsOnly(Source.REDIS);
    }
  }

  @Test
  void a_thousand_slots_that_move_are_followed() throws Exception {
    try (RedisServers cluster = RedisServers.cluster(RedisVersion.newest(), 3);
        LimitStore store = store(cluster.uri())) {
      List<Subject> subjects = subjects();
      List<Answer> control = answers(store, subjects, () -> pass(CONTROL));
      List<Answer> answers = answers(store, subjects, () -> reshard(cluster, subjects));
      assertInTime("resharding", answers, control);
      long local = answers.stream().filter(answer -> answer.source() != Source.REDIS).count();
      assertThat(local).as("of %d", answers.size()).isLessThan(answers.size() / 100);
      assertThat(answers)
          .filteredOn(answer -> ClusterUnderTest.serverOf(subjects.get(answer.subject())) != 0)
          .extracting(Answer::source)
          .containsOnly(Source.REDIS);
      try (Jedis to = cluster.get(1).client()) {
        assertThat(to.dbSize()).isGreaterThan(SUBJECTS / 2);
      }
    }
  }

  @Test
  void a_failover_by_Sentinel_is_survived_and_followed() throws Exception {
    try (RedisServers servers = RedisServers.sentinels(RedisVersion.newest(), 1);
        RedisServer replica = RedisServer.start(RedisVersion.newest());
        LimitStore store = store(servers.uri());
        Jedis sentinel = servers.get(1).client();
        Jedis client = replica.client()) {
      sentinel.sentinelSet(
          "main", Map.of("down-after-milliseconds", "500", "failover-timeout", "2000"));
      client.replicaof("127.0.0.1", servers.get(0).port());
      Awaitility.await().until(() -> !sentinel.sentinelReplicas("main").isEmpty());
      List<Subject> subjects = subjects();
      List<Answer> control = answers(store, subjects, () -> pass(CONTROL));
      List<Answer> answers =
          answers(
              store,
              subjects,
              () -> {
                servers.get(0).kill();
                Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> isPrimary(replica));
                Duration fromThenOn = Duration.ofSeconds(3);
                Awaitility.await().atMost(fromThenOn).until(() -> isDecidedInRedis(store));
              });
      assertInTime("failover", answers, control);
      assertThat(isDecidedInRedis(store)).isTrue();
    }
  }

  /** Uses a new client: Redis closes the clients of a replica that becomes a primary. */
  private static boolean isPrimary(RedisServer server) {
    try (Jedis client = server.client()) {
      return client.info("replication").contains("role:master");
    }
  }

  private LimitStore store(String uri) {
    RedisLimitStore redis =
        RedisLimitStore.connect(RedisOptions.of(uri, "clustered").withDeadline(DEADLINE), heard);
    LimitStore store = new FailoverLimitStore(redis, new LocalLimitStore(LocalOptions.embedded()));
    Awaitility.await().until(() -> isDecidedInRedis(store));
    return store;
  }

  private static boolean isDecidedInRedis(LimitStore store) {
    return IntStream.range(0, 3)
        .mapToObj(ClusterUnderTest::subjectOn)
        .allMatch(subject -> decide(store, 0, subject).source() == Source.REDIS);
  }

  /** Returns subjects, the same number on each of three servers. */
  private static List<Subject> subjects() {
    return IntStream.range(0, SUBJECTS).mapToObj(i -> ClusterUnderTest.subjectOn(i % 3)).toList();
  }

  /** Returns the answers of threads that call without a pause while this runs. */
  private static List<Answer> answers(LimitStore store, List<Subject> subjects, Runnable change)
      throws InterruptedException {
    Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    AtomicBoolean isOver = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int first = t;
      threads.add(
          new Thread(
              () -> {
                for (int i = first; !isOver.get(); i += THREADS) {
                  answers.add(decide(store, i % SUBJECTS, subjects.get(i % SUBJECTS)));
                }
              }));
    }
    threads.forEach(Thread::start);
    try {
      change.run();
    } finally {
      isOver.set(true);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return List.copyOf(answers);
  }

  private static Answer decide(LimitStore store, int number, Subject subject) {
    AcquireRequest request =
        new AcquireRequest(
            List.of(charge("changing", "1_000_000 per day window", subject, 1)),
            OnOutage.LOCAL,
            Deadline.after(DEADLINE));
    long beganNanos = System.nanoTime();
    try {
      Decision.Counted decision = (Decision.Counted) store.decide(request);
      return new Answer(
          number, decision.source(), Duration.ofNanos(System.nanoTime() - beganNanos));
    } catch (StoreUnavailableException e) {
      throw new AssertionError("an outage is no reason not to decide", e);
    }
  }

  private static void assertInTime(String what, List<Answer> answers, List<Answer> control) {
    long local = answers.stream().filter(answer -> answer.source() != Source.REDIS).count();
    System.out.printf(
        "%s: %,d answers, %,d of them local, the latest after %d ms, before that %d ms%n",
        what, answers.size(), local, latest(answers).toMillis(), latest(control).toMillis());
    assertThat(latest(answers)).isLessThan(DEADLINE.plus(GRACE).plus(latest(control)));
  }

  private static Duration latest(List<Answer> answers) {
    return answers.stream().map(Answer::took).max(Duration::compareTo).orElseThrow();
  }

  /** Waits in real time, in which the load runs too. */
  private static void pass(Duration time) {
    Awaitility.await().pollDelay(time).atMost(time.plusSeconds(5)).until(() -> true);
  }

  /** Moves slots of the first server to the second, those of our subjects among them. */
  private static void reshard(RedisServers cluster, List<Subject> subjects) {
    Set<Integer> slots = new LinkedHashSet<>();
    subjects.stream()
        .filter(subject -> ClusterUnderTest.serverOf(subject) == 0)
        .forEach(subject -> slots.add(ClusterUnderTest.slotOf(subject)));
    for (int slot = 0; slots.size() < SLOTS_MOVED; slot++) {
      slots.add(slot);
    }
    try (Jedis from = cluster.get(0).client();
        Jedis to = cluster.get(1).client();
        Jedis other = cluster.get(2).client()) {
      String source = from.clusterMyId();
      String target = to.clusterMyId();
      for (int slot : slots) {
        to.clusterSetSlotImporting(slot, source);
        from.clusterSetSlotMigrating(slot, target);
        for (String key : from.clusterGetKeysInSlot(slot, 100)) {
          assertThat(RedisKeys.slot(key)).isEqualTo(slot);
          from.migrate("127.0.0.1", cluster.get(1).port(), key, 0, 5_000);
        }
        for (Jedis node : new Jedis[] {to, from, other}) {
          node.clusterSetSlotNode(slot, target);
        }
      }
    }
  }
}
