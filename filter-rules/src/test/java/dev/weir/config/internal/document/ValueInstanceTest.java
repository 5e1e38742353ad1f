package dev.weir.config.internal.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.config.Weirs;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestFunction;
import dev.weir.http.RequestView;
import dev.weir.http.RuleListener;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Classes of the user's, named in the configuration. */
class ValueInstanceTest {

  private static final AtomicInteger RECEIVED = new AtomicInteger();

  @Test
  void a_class_tells_who_is_counted() {
    String yaml =
        "rules: [{ name: r, match: /**, limits: 1 per hour, subject: "
            + Tenant.class.getName()
            + " }]";
    try (Weir weir = Weir.open(Weirs.webInf(yaml, Weirs.application()))) {
      assertThat(Weirs.passing(weir, 3, () -> FakeRequest.get("/").header("Tenant", "a")))
          .isEqualTo(1);
      assertThat(Weirs.passing(weir, 3, () -> FakeRequest.get("/").header("Tenant", "b")))
          .isEqualTo(1);
    }
  }

  @Test
  void a_class_listens() {
    String yaml =
        "listener: "
            + Counting.class.getName()
            + "\nrules: [{ name: r, match: /**, limits: 1 per hour }]";
    RECEIVED.set(0);
    try (Weir weir = Weir.open(Weirs.webInf(yaml, Weirs.application()))) {
      assertThat(Weirs.passing(weir, 3, () -> FakeRequest.get("/"))).isEqualTo(1);
    }
    assertThat(RECEIVED).hasValue(3);
  }

  /** Returns the tenant of a request. */
  public static final class Tenant implements RequestFunction {
    @Override
    public Optional<String> apply(RequestView request) {
      return request.headers("Tenant").stream().findFirst();
    }
  }

  /** Counts, and then fails. */
  public static final class Counting implements RuleListener {
    @Override
    public void onDecision(AcquireRequest acquire, Decision decision, Duration took) {
      RECEIVED.incrementAndGet();
      throw new IllegalStateException("a listener's own failure");
    }
  }
}
