package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.Full;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

/**
 * Behind twemproxy, which sends each call to one of several servers by its first key, and closes a
 * connection on INFO and SCRIPT.
 */
@Full
@EnabledIf("dev.weir.redis.Nutcracker#isInstalled")
class ShardingProxyTest extends LoggedStores {

  private static final int SUBJECTS = 100;
  private static final int LIMIT = 10;
  private static final long SHARED = 100_000;
  private static final int THREADS = 16;

  @ParameterizedTest(name = "{0} servers, by tag: {1}")
  @CsvSource({"1, true", "2, true", "2, false", "3, true", "3, false"})
  void each_subject_gets_its_limit_once(int servers, boolean hasTags) throws Exception {
    try (Nutcracker proxy = new Nutcracker(RedisVersion.newest(), servers, hasTags)) {
      assertThat(granted(proxy, List.of("hourly"))).containsOnly(LIMIT);
    }
  }

  @ParameterizedTest(name = "{0} servers, by tag: {1}")
  @CsvSource({"2, true", "2, false", "3, true", "3, false"})
  void so_it_does_by_two_limits_at_once(int servers, boolean hasTags) throws Exception {
    try (Nutcracker proxy = new Nutcracker(RedisVersion.newest(), servers, hasTags)) {
      assertThat(granted(proxy, List.of("hourly", "shared"))).containsOnly(LIMIT);
      Jedis first = proxy.servers().get(0).client();
      try (first) {
        assertThat(first.keys("*:shared")).hasSizeLessThanOrEqualTo(1);
      }
    }
  }

  @ParameterizedTest(name = "by tag: {0}")
  @ValueSource(booleans = {true, false})
  void a_refund_returns_to_the_servers_that_have_granted(boolean hasTags) throws Exception {
    try (Nutcracker proxy = new Nutcracker(RedisVersion.newest(), 3, hasTags);
        RedisLimitStore store = connect(proxy)) {
      List<String> limits = List.of("one", "shared", "two");
      for (int i = 0; i < SUBJECTS; i++) {
        List<Charge> all = charges("s" + i, limits);
        Decision.Counted granted = decide(store, all);
        assertThat(remaining(store, all)).containsExactly(LIMIT - 1L, SHARED - 1L, LIMIT - 1L);
        AcquireRequests.refund(store, granted);
        assertThat(remaining(store, all)).containsExactly((long) LIMIT, SHARED, (long) LIMIT);
      }
    }
  }

  @Test
  void one_warning_says_what_is_left_out_and_one_that_keys_are_spread() throws Exception {
    try (Nutcracker proxy = new Nutcracker(RedisVersion.newest(), 2, true);
        RedisLimitStore store = connect(proxy)) {
      Awaitility.await().until(() -> Load.decides(store));
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(log.text())
                      .contains("INFO or SCRIPT LOAD by closing")
                      .contains("by its first key"));
      assertThat(log.records()).hasSize(2);
    }
  }

  @ParameterizedTest(name = "by tag: {0}")
  @ValueSource(booleans = {true, false})
  void every_store_finds_two_servers_by_its_first_connection(boolean hasTags) throws Exception {
    int stores = 20;
    try (Nutcracker proxy = new Nutcracker(RedisVersion.newest(), 2, hasTags)) {
      for (int i = 0; i < stores; i++) {
        try (RedisLimitStore store = connect(proxy)) {
          assertThat(Load.decides(store)).isTrue();
        }
      }
    }
    String unit = hasTags ? "one subject" : "one key";
    assertThat(log.records())
        .filteredOn(record -> record.getMessage().contains("by its first key"))
        .hasSize(stores)
        .allSatisfy(record -> assertThat(record.getParameters()).contains(unit));
  }

  private List<Integer> granted(Nutcracker proxy, List<String> limits) throws Exception {
    AtomicIntegerArray granted = new AtomicIntegerArray(SUBJECTS);
    ExecutorService threads = Executors.newFixedThreadPool(2 * THREADS);
    try (RedisLimitStore one = connect(proxy);
        RedisLimitStore other = connect(proxy)) {
      List<Future<Void>> all = new ArrayList<>();
      for (int t = 0; t < 2 * THREADS; t++) {
        RedisLimitStore store = t % 2 == 0 ? one : other;
        int first = t * SUBJECTS / (2 * THREADS);
        Callable<Void> work =
            () -> {
              for (int i = 0; i < 2 * SUBJECTS; i++) {
                int subject = (first + i) % SUBJECTS;
                if (decide(store, charges("s" + subject, limits)).allowed()) {
                  granted.incrementAndGet(subject);
                }
              }
              return null;
            };
        all.add(threads.submit(work));
      }
      for (Future<Void> each : all) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
    }
    List<Integer> list = new ArrayList<>();
    for (int i = 0; i < SUBJECTS; i++) {
      list.add(granted.get(i));
    }
    return list;
  }

  /** The limit "shared" is of one subject for all, and never denies. */
  private static List<Charge> charges(String subject, List<String> limits) {
    return limits.stream()
        .map(
            name ->
                name.equals("shared")
                    ? AcquireRequests.charge(name, SHARED + " per 30 days", Subject.of("all"), 1)
                    : AcquireRequests.charge(
                        name, LIMIT + " per 30 days", Subject.of("user", subject), 1))
        .toList();
  }

  /** Peeks at each counter alone, where all other calls count it. */
  private static List<Long> remaining(RedisLimitStore store, List<Charge> charges) {
    return charges.stream()
        .map(charge -> AcquireRequests.peek(store, charge).binding().remaining())
        .toList();
  }

  private static Decision.Counted decide(RedisLimitStore store, List<Charge> charges) {
    return AcquireRequests.decide(store, charges.toArray(Charge[]::new));
  }

  private static RedisLimitStore connect(Nutcracker proxy) {
    return connect(RedisOptions.of(proxy.uri(), "shop").withDeadline(Duration.ofSeconds(20)));
  }
}
