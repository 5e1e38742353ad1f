package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailoverLimitStore;
import dev.weir.fixture.Full;
import dev.weir.local.LocalLimitStore;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.OnOutage;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
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

  /** How often Sentinel asks a primary for its replicas. */
  private static final Duration SENTINEL_PERIOD = Duration.ofSeconds(10);

  private static final int THREADS = 6;
  private static final int SUBJECTS = 60;
  private static final int SLOTS_MOVED = 1_000;

  private final Recorder received = new Recorder();

  /**
   * What came of the calls of one thread, or of several. It keeps no call, so that collecting
   * garbage does not delay the calls that it measures.
   */
  private static final class Answers {

    private final long[] total = new long[SUBJECTS];
    private final long[] local = new long[SUBJECTS];
    private long latestNanos;

    void add(int subject, Source source, long nanos) {
      total[subject]++;
      local[subject] += source == Source.REDIS ? 0 : 1;
      latestNanos = Math.max(latestNanos, nanos);
    }

    void addAll(Answers others) {
      for (int i = 0; i < SUBJECTS; i++) {
        total[i] += others.total[i];
        local[i] += others.local[i];
      }
      latestNanos = Math.max(latestNanos, others.latestNanos);
    }

    long total() {
      return LongStream.of(total).sum();
    }

    long local() {
      return LongStream.of(local).sum();
    }

    /** Returns the subjects with local decisions. */
    List<Integer> decidedLocally() {
      return IntStream.range(0, SUBJECTS).filter(i -> local[i] > 0).boxed().toList();
    }

    Duration latest() {
      return Duration.ofNanos(latestNanos);
    }
  }

  @Test
  void one_of_three_primaries_that_is_killed_disturbs_none_of_the_others() throws Exception {
    try (RedisServers cluster = RedisServers.cluster(RedisVersion.newest(), 3);
        LimitStore store = store(cluster.uri())) {
      List<Subject> subjects = subjects();
      Answers control = answers(store, subjects, () -> pass(CONTROL));
      Answers answers =
          answers(
              store,
              subjects,
              () -> {
                cluster.get(2).kill();
                pass(CONTROL);
              });
      assertInTime("killed", answers, control);
      assertThat(answers.decidedLocally())
          .allMatch(subject -> ClusterUnderTest.serverOf(subjects.get(subject)) == 2);
    }
  }

  @Test
  void a_thousand_slots_that_move_are_followed() throws Exception {
    try (RedisServers cluster = RedisServers.cluster(RedisVersion.newest(), 3);
        LimitStore store = store(cluster.uri())) {
      List<Subject> subjects = subjects();
      Answers control = answers(store, subjects, () -> pass(CONTROL));
      Answers answers = answers(store, subjects, () -> reshard(cluster, subjects));
      assertInTime("resharding", answers, control);
      assertThat(answers.local()).as("of %d", answers.total()).isLessThan(answers.total() / 100);
      assertThat(answers.decidedLocally())
          .allMatch(subject -> ClusterUnderTest.serverOf(subjects.get(subject)) == 0);
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
      Awaitility.await()
          .atMost(SENTINEL_PERIOD.multipliedBy(3))
          .until(() -> !sentinel.sentinelReplicas("main").isEmpty());
      List<Subject> subjects = subjects();
      Answers control = answers(store, subjects, () -> pass(CONTROL));
      Answers answers =
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
        RedisLimitStore.connect(RedisOptions.of(uri, "clustered").withDeadline(DEADLINE), received);
    LimitStore store = FailoverLimitStore.of(redis, LocalLimitStore.of());
    Awaitility.await().until(() -> isDecidedInRedis(store));
    return store;
  }

  private static boolean isDecidedInRedis(LimitStore store) {
    return IntStream.range(0, 3)
        .mapToObj(ClusterUnderTest::subjectOn)
        .allMatch(subject -> decide(store, charges(subject)).source() == Source.REDIS);
  }

  /** Returns subjects, the same number on each of three servers. */
  private static List<Subject> subjects() {
    return IntStream.range(0, SUBJECTS).mapToObj(i -> ClusterUnderTest.subjectOn(i % 3)).toList();
  }

  /** Returns the answers of threads that call without a pause while this runs. */
  private static Answers answers(LimitStore store, List<Subject> subjects, Runnable change)
      throws InterruptedException {
    List<List<Charge>> charges = subjects.stream().map(ChangingServersTest::charges).toList();
    AtomicBoolean isOver = new AtomicBoolean();
    List<Answers> ofThreads = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int first = t;
      Answers answers = new Answers();
      ofThreads.add(answers);
      threads.add(
          new Thread(
              () -> {
                for (int i = first; !isOver.get(); i = (i + THREADS) % SUBJECTS) {
                  long beganNanos = System.nanoTime();
                  Source source = decide(store, charges.get(i)).source();
                  answers.add(i, source, System.nanoTime() - beganNanos);
                }
              }));
    }
    threads.forEach(Thread::start);
    try {
      change.run();
    } finally {
      isOver.set(true);
    }
    Answers all = new Answers();
    for (int t = 0; t < THREADS; t++) {
      threads.get(t).join();
      all.addAll(ofThreads.get(t));
    }
    return all;
  }

  private static List<Charge> charges(Subject subject) {
    return List.of(charge("changing", "1_000_000 per day window", subject, 1));
  }

  private static Decision decide(LimitStore store, List<Charge> charges) {
    try {
      return store.decide(new AcquireRequest(charges, OnOutage.LOCAL, Deadline.after(DEADLINE)));
    } catch (StoreUnavailableException e) {
      throw new AssertionError("an outage is no reason not to decide", e);
    }
  }

  private static void assertInTime(String what, Answers answers, Answers control) {
    System.out.printf(
        "%s: %,d answers, %,d of them local, the latest after %d ms, before that %d ms%n",
        what,
        answers.total(),
        answers.local(),
        answers.latest().toMillis(),
        control.latest().toMillis());
    assertThat(answers.latest()).isLessThan(DEADLINE.plus(GRACE).plus(control.latest()));
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
