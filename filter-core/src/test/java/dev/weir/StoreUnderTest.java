package dev.weir;

import static dev.weir.AcquireRequests.charge;

import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store for each test, and subjects that no other test knows. */
public abstract class StoreUnderTest {

  protected final Subject alice = Subject.of("user", "alice-" + UUID.randomUUID());
  protected final Subject bob = Subject.of("user", "bob-" + UUID.randomUUID());

  @SuppressWarnings("NullAway.Init") // opened before each test
  protected LimitStore store;

  /** Opens the store under test. It is closed after the test. */
  protected abstract LimitStore open() throws Exception;

  @BeforeEach
  protected void openStore() throws Exception {
    store = open();
  }

  @AfterEach
  protected void closeStore() {
    store.close();
  }

  protected final Charge one(String limit) {
    return many(limit, 1);
  }

  protected final Charge many(String limit, long permits) {
    return charge("limit", limit, alice, permits);
  }

  /** Lets time pass: real time, unless a store is given its own. */
  protected void letPass(Duration time) {
    long startNanos = System.nanoTime();
    while (System.nanoTime() - startNanos < time.toNanos()) {
      Thread.onSpinWait();
    }
  }
}
