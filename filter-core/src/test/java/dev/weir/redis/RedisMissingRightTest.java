package dev.weir.redis;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.AcquireRequests;
import dev.weir.fixture.SideBySide;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Decision;
import dev.weir.store.LimiterListener;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;

/**
 * The user of the page for operators lacks one right. It is taken away before decisions over every
 * kind of limit share a batch. Those that need it fail, and others decide in their place. So they
 * must not count in Redis too.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.redis.RedisVersion#tested")
@SideBySide
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class RedisMissingRightTest {

  private static final String PASSWORD = "rights";
  private static final RedisKeys KEYS = new RedisKeys("shop", Optional.empty());
  private static final Subject ALICE = Subject.of("user", "alice");

  /** The rights that no decision of a single Redis needs. */
  private static final Set<String> OF_OTHERS =
      Set.of("select", "role", "asking", "cluster|slots", "cluster|nodes");

  /** Redis is out without these. */
  private static final Set<String> VITAL = Set.of("evalsha", "time", "get", "set");

  private static final Set<String> OF_CONCURRENCY_LIMITS =
      Set.of("pexpire", "zadd", "zcard", "zrange", "zrangebyscore", "zcount", "zremrangebyscore");

  private static final double TTL_MICROS = 10e6;

  @Parameter RedisVersion version = RedisVersion.embedded();

  private final List<Charge> plain =
      Stream.of("30 days", "30 days window", "month window UTC", "30 days sliding")
          .map(unit -> charge(unit, "100 per " + unit, ALICE, 1))
          .toList();

  private final Charge ended = held("ended");
  private final Charge foreign = held("foreign");
  private final Charge ahead = held("ahead");
  private final List<Charge> held = List.of(held("new"), ended, foreign, ahead);
  private final Charge leaky = charge("leaky", "100 per 30 days leaky", ALICE, 1);
  private final Charge fullWindow = charge("full window", "1 per 30 days window", ALICE, 1);
  private final Charge fullHeld = charge("full", "1 concurrent, ttl 1h", ALICE, 1);

  @SuppressWarnings("NullAway.Init") // started before each test
  private RedisServer server;

  private static Charge held(String name) {
    return charge(name, "100 concurrent, ttl 10s", ALICE, 1);
  }

  static Stream<String> rights() {
    return Stream.of(DocumentedUser.rights(PASSWORD))
        .filter(right -> right.startsWith("+"))
        .map(right -> right.substring(1))
        .filter(right -> !OF_OTHERS.contains(right));
  }

  /** Returns all again but one, as Redis before 7 takes away no right to a subcommand. */
  private static String[] rightsWithout(String right) {
    return Stream.of(DocumentedUser.rights(PASSWORD))
        .filter(each -> !each.equals("+" + right))
        .toArray(String[]::new);
  }

  @BeforeEach
  void start() {
    server = RedisServer.start(version);
    administer(redis -> redis.sendCommand(Command.ACL, DocumentedUser.rights(PASSWORD)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest(name = "without {0}")
  @MethodSource("rights")
  void what_fails_is_not_charged_and_all_that_does_without_the_right_is_decided(String right) {
    try (RedisLimitStore store = connect()) {
      prepare(store);
      administer(redis -> redis.sendCommand(Command.ACL, rightsWithout(right)));
      List<AcquireRequest> requests = requests();
      List<CompletableFuture<Decision.Counted>> decided = Gathering.at(server, store, requests);
      decided.forEach(each -> each.handle((decision, failure) -> 0).join());

      for (int i = 0; i < requests.size(); i++) {
        if (isDecidedWithout(right, requests.get(i))) {
          assertThat(decided.get(i)).as("%s", requests.get(i).charges()).isCompleted();
        }
      }
      boolean isNeeded = OF_CONCURRENCY_LIMITS.contains(right) || VITAL.contains(right);
      assertThat(decided.stream().anyMatch(CompletableFuture::isCompletedExceptionally))
          .isEqualTo(isNeeded || right.equals("del") || right.equals("pttl"));

      administer(
          redis ->
              assertThat(redis.pttl(KEYS.key(held.get(0).counter())))
                  .as("a key that has no time to live")
                  .isNotEqualTo(-1));
      administer(redis -> redis.aclSetUser("weir", "+" + right));
      Awaitility.await().until(() -> Load.decides(store));
      List<Charge> counted = Stream.concat(plain.stream(), held.stream()).toList();
      List<Long> granted =
          counted.stream().map(charge -> granted(charge, requests, decided)).toList();
      Awaitility.await()
          .pollDelay(Duration.ZERO)
          .untilAsserted(
              () ->
                  assertThat(counted.stream().map(charge -> consumed(store, charge)))
                      .containsExactlyElementsOf(granted));
    }
  }

  /** Puts a batch on its way, so that its script is known, and fills two limits. */
  private void prepare(RedisLimitStore store) {
    Awaitility.await().until(() -> Load.decides(store));
    AcquireRequest other = Load.request(Duration.ofSeconds(10));
    Gathering.at(server, store, Collections.nCopies(8, other)).forEach(CompletableFuture::join);
    AcquireRequests.decide(store, leaky, fullWindow, fullHeld);
    double now = System.currentTimeMillis() * 1e3;
    administer(
        redis -> {
          redis.zadd(KEYS.key(ended.counter()), Map.of("ttl", -TTL_MICROS, "1", now - 1e6));
          redis.zadd(KEYS.key(ended.counter()), Map.of("2", now + 1e9));
          redis.set(KEYS.key(foreign.counter()), "foreign");
          redis.zadd(KEYS.key(ahead.counter()), Map.of("ttl", -TTL_MICROS, "1", 9e15));
        });
  }

  /** Returns each alone and in pairs, so that refused writes come before and after others. */
  private List<AcquireRequest> requests() {
    List<AcquireRequest> all = new ArrayList<>();
    for (int i = 0; i < held.size(); i++) {
      all.add(request(plain.get(i)));
      all.add(request(held.get(i)));
      all.add(request(plain.get(i), held.get(i)));
      all.add(request(held.get(i), plain.get(i)));
    }
    all.add(request(held.get(0), held.get(1), held.get(2)));
    Stream.of(leaky, fullWindow, fullHeld, plain.get(0)).forEach(each -> all.add(request(each)));
    return all;
  }

  private boolean isDecidedWithout(String right, AcquireRequest request) {
    if (right.equals("del")) {
      return request.charges().stream().noneMatch(foreign::equals);
    }
    if (right.equals("pttl")) {
      return request.charges().stream().noneMatch(List.of(leaky, fullWindow, fullHeld)::contains);
    }
    return OF_CONCURRENCY_LIMITS.contains(right)
        ? Stream.concat(held.stream(), Stream.of(fullHeld)).noneMatch(request.charges()::contains)
        : !VITAL.contains(right);
  }

  private static long granted(
      Charge charge,
      List<AcquireRequest> requests,
      List<CompletableFuture<Decision.Counted>> decided) {
    long granted = 0;
    for (int i = 0; i < requests.size(); i++) {
      boolean isOver = decided.get(i).isDone() && !decided.get(i).isCompletedExceptionally();
      if (isOver && decided.get(i).join().allowed() && requests.get(i).charges().contains(charge)) {
        granted++;
      }
    }
    return granted;
  }

  /** Returns the permits of a hundred that are gone, without those that were gone before. */
  private long consumed(RedisLimitStore store, Charge charge) {
    long before = charge.equals(ended) || charge.equals(ahead) ? 1 : 0;
    return 100 - before - AcquireRequests.peek(store, charge).binding().remaining();
  }

  private void administer(Consumer<Jedis> change) {
    try (Jedis redis = server.client()) {
      change.accept(redis);
    }
  }

  private RedisLimitStore connect() {
    String uri = server.uri().replace("://", "://weir:" + PASSWORD + "@");
    RedisOptions options = RedisOptions.of(uri, "shop").withDeadline(Duration.ofSeconds(16));
    return RedisLimitStore.connect(options, LimiterListener.NONE);
  }
}
