package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.weir.FailoverLimitStore;
import dev.weir.TokenLimiter;
import dev.weir.http.ClientPolicy;
import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.http.ClientPolicy.LimitOverride;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestMatcher;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.RuleLimiter;
import dev.weir.http.SubjectResolver;
import dev.weir.http.spi.Outcome;
import dev.weir.limit.Limit;
import dev.weir.local.LocalLimitStore;
import dev.weir.near.DenyCache;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * How many bytes a decision allocates. The bounds hold without any help of a compiler, which would
 * only spare some of it.
 */
class AllocationTest {

  private static final int SUBJECTS = 100;
  private static final int BATCH = 10_000;
  private static final int BATCHES = 6;
  private static final String PLENTY = "1000000 per second, burst 1000000";

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final List<Subject> subjects =
      IntStream.range(0, SUBJECTS).mapToObj(i -> Subject.of("user", "user-" + i)).toList();

  /** Keeps what is decided from being left out. */
  private volatile @Nullable Object last;

  @Test
  void a_local_decision() {
    TokenLimiter limiter = TokenLimiter.of("calls", PLENTY, local());
    assertThat(bytes(i -> limiter.tryAcquire(subjects.get(i % SUBJECTS)))).isLessThan(700);
  }

  @Test
  void a_denial_that_is_remembered() {
    LimitStore near = DenyCache.of(local(), Duration.ofMinutes(1));
    TokenLimiter limiter =
        TokenLimiter.of("calls", "1 per hour", FailoverLimitStore.of(near, local()));
    subjects.forEach(limiter::tryAcquire);
    subjects.forEach(limiter::tryAcquire);
    assertThat(bytes(i -> remembered(limiter.tryAcquire(subjects.get(i % SUBJECTS)))))
        .isLessThan(460);
  }

  private static Decision remembered(Decision decision) {
    if (decision.source() != Source.DENY_CACHE) {
      throw new AssertionError(decision);
    }
    return decision;
  }

  @Test
  void a_request_that_passes_a_rule() {
    RuleLimiter limiter = limiter(local(), PLENTY);
    List<FakeRequest> requests = requests();
    assertThat(bytes(i -> passed(limiter.limit(requests.get(i))))).isLessThan(1_500);
  }

  private static Outcome passed(Outcome outcome) {
    if (!(outcome instanceof Outcome.Passed)) {
      throw new AssertionError(outcome);
    }
    return outcome;
  }

  @Test
  void a_request_that_is_denied_as_one_before_it() {
    RuleLimiter limiter = limiter(DenyCache.of(local(), Duration.ofMinutes(1)), "1 per hour");
    List<FakeRequest> requests = requests();
    assertThat(bytes(i -> limiter.limit(requests.get(i))))
        .as("a fifth of it names the subject for the access log")
        .isLessThan(6_100);
    assertThat(limiter.limit(requests.get(0).again())).isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void a_request_with_a_key_beside_three_thousand_overrides() {
    List<LimitOverride> overrides =
        IntStream.range(0, 3_000)
            .mapToObj(i -> new LimitOverride(keyed("client-" + i), List.of(limit("own", "9/s"))))
            .toList();
    NamedLimit standard = limit("flood", PLENTY);
    ClientPolicy policy = ClientPolicy.SAME_FOR_ALL.withOverrides(overrides, List.of(standard));
    Rule rule =
        Rule.builder("flood")
            .match(RequestMatcher.of("/**"))
            .subject(SubjectResolver.of("ip"))
            .limits(policy.limits())
            .clients(policy)
            .build();
    RuleLimiter limiter = RuleLimiter.of(List.of(rule), local(), RuleLimiter.Settings.DEFAULT);
    passed(limiter.limit(FakeRequest.get("/").header("X-API-Key", "unknown")));
    long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    for (int i = 0; i < 10; i++) {
      last = passed(limiter.limit(FakeRequest.get("/").header("X-API-Key", "unknown-" + i)));
    }
    long each = (THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before) / 10;
    assertThat(each).as("bytes; with a digest for each it is 8 million").isLessThan(1_500_000);
  }

  private static Clients keyed(String key) {
    return Clients.knowing("header:X-API-Key", Set.of(KeyDigest.of(key)));
  }

  private static NamedLimit limit(String name, String text) {
    return new NamedLimit(name, Limit.parse(text));
  }

  private static LocalLimitStore local() {
    return LocalLimitStore.of();
  }

  private static RuleLimiter limiter(LimitStore store, String limit) {
    Rule rule =
        Rule.builder("flood")
            .match(RequestMatcher.of("/**"))
            .subject(SubjectResolver.of("ip"))
            .limit(new NamedLimit("flood", Limit.parse(limit)))
            .build();
    return RuleLimiter.of(List.of(rule), store, RuleLimiter.Settings.DEFAULT);
  }

  /** Each may be decided once. */
  private static List<FakeRequest> requests() {
    return IntStream.range(0, BATCH * BATCHES)
        .mapToObj(i -> FakeRequest.get("/items/17").from("192.0.2." + i % SUBJECTS))
        .toList();
  }

  /** For each of many, in the batch that allocates least: a compiler may do so on this thread. */
  private long bytes(IntFunction<Object> decision) {
    long thread = Thread.currentThread().getId();
    long least = Long.MAX_VALUE;
    for (int batch = 0; batch < BATCHES; batch++) {
      long before = THREADS.getThreadAllocatedBytes(thread);
      for (int i = 0; i < BATCH; i++) {
        last = decision.apply(batch * BATCH + i);
      }
      least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - before);
    }
    assertThat(last).isNotNull();
    return least / BATCH;
  }
}
