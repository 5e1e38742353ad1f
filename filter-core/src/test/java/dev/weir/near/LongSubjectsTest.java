package dev.weir.near;

import static dev.weir.fixture.AcquireRequests.charge;
import static dev.weir.fixture.AcquireRequests.decide;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.Full;
import dev.weir.local.LocalLimitStore;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.LimitStore;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Clients choose subjects, and may choose long ones: of these a digest is kept. */
@Full
class LongSubjectsTest {

  private static final int SUBJECTS = 5_000;
  private static final int LENGTH = 8_000;

  /** Kept whole, the subjects alone would be 40 MB. The counters themselves are 2.5 MB. */
  private static final long MOST_BYTES = 10_000_000;

  private final LocalLimitStore local = LocalLimitStore.of();

  @Test
  void the_deny_cache_keeps_none_whole() {
    LimitStore store = DenyCache.of(local, Duration.ofMinutes(1));
    assertThatFewBytesStay(store, 2);
    assertThat(decision(store, SUBJECTS - 1).source()).isEqualTo(Source.DENY_CACHE);
    store.close();
  }

  @Test
  void token_leases_keep_none_whole() {
    LimitStore store = TokenLeaseStore.of(new LendsNothing(local), counter -> true);
    assertThatFewBytesStay(store, 1);
    store.close();
  }

  @Test
  void a_denial_of_one_denies_no_other() {
    LimitStore store = DenyCache.of(local, Duration.ofMinutes(1));
    for (String last : new String[] {"a", "b", "\uD800", "\uD801", "\uFFFD"}) {
      Subject subject = Subject.of("user", "x".repeat(LENGTH) + last);
      assertThat(decision(store, subject).allowed()).as(last).isTrue();
      assertThat(decision(store, subject).source()).isEqualTo(Source.LOCAL);
      Decision.Counted remembered = decision(store, subject);
      assertThat(remembered.source()).isEqualTo(Source.DENY_CACHE);
      assertThat(remembered.binding().counter().subject()).isEqualTo(subject);
    }
    store.close();
  }

  /** Lends nothing, as a store does in which nothing is left. */
  private static final class LendsNothing extends DelegatingStore implements Lending {

    LendsNothing(LimitStore store) {
      super(store);
    }

    @Override
    public Optional<Lending> lending() {
      return Optional.of(this);
    }

    @Override
    public Lease lend(Charge most, Settlement settled, Deadline deadline) {
      Verdict verdict = new Verdict(most.counter(), 0, new Retry.After(1), 1);
      return new Lease(verdict, 0, false, 0, 0, Duration.ofMillis(10));
    }

    @Override
    public void end(Ending ending, Deadline deadline) {}
  }

  private static void assertThatFewBytesStay(LimitStore store, int requests) {
    long before = usedBytes();
    for (int i = 0; i < requests * SUBJECTS; i++) {
      decision(store, i % SUBJECTS);
    }
    await().until(() -> usedBytes() - before < MOST_BYTES);
  }

  private static Decision.Counted decision(LimitStore store, int subject) {
    return decision(store, Subject.of("user", "x".repeat(LENGTH) + subject));
  }

  private static Decision.Counted decision(LimitStore store, Subject subject) {
    return decide(store, charge("login", "1 per day", subject, 1));
  }

  private static long usedBytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
