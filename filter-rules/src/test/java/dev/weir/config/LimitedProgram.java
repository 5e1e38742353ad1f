package dev.weir.config;

import dev.weir.http.FakeRequest;
import dev.weir.http.spi.Outcome;
import java.util.function.Function;

/**
 * An application that has decided requests of several kinds. It holds a permit, has leased others,
 * and a request waits. What it returns closes it, and requires that the waiting request was denied.
 */
public final class LimitedProgram implements Function<String, AutoCloseable> {

  @Override
  public AutoCloseable apply(String yaml) {
    Weir weir = Weir.of(yaml);
    for (int i = 0; i < 100; i++) {
      weir.limiter().limit(FakeRequest.get("/paid/by-lease"));
    }
    Outcome held = weir.limiter().limit(FakeRequest.get("/held"));
    weir.limiter().limit(FakeRequest.get("/slow"));
    Outcome waiting = weir.limiter().limit(FakeRequest.get("/slow").waitingAside());
    if (!(held instanceof Outcome.Passed) || !(waiting instanceof Outcome.Delayed delayed)) {
      throw new IllegalStateException("decided otherwise: " + held + ", " + waiting);
    }
    return () -> {
      weir.close();
      if (!delayed.later().toCompletableFuture().isDone()) {
        throw new IllegalStateException("a request waits in a closed application");
      }
    };
  }
}
