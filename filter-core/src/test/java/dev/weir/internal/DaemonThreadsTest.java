package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.internal.store.Scheduler;
import dev.weir.internal.wait.Workers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Threads that have ended when they are said to have. */
class DaemonThreadsTest {

  private static final int OFTEN = 2_000;

  @Test
  void whoever_has_closed_finds_no_thread_alive() {
    for (int i = 0; i < OFTEN; i++) {
      Workers workers = new Workers("weir-test");
      CompletableFuture<Thread> thread = new CompletableFuture<>();
      workers.execute(() -> thread.complete(Thread.currentThread()));
      thread.join();
      workers.close();
      assertThat(thread.join().isAlive()).as("worker %s", i).isFalse();
    }
  }

  @Test
  void nor_that_of_an_alarm() {
    for (int i = 0; i < OFTEN; i++) {
      Scheduler scheduler = new Scheduler.OneThread("weir-test");
      CompletableFuture<Thread> thread = new CompletableFuture<>();
      Scheduler.Pending unused =
          scheduler.in(Duration.ZERO, () -> thread.complete(Thread.currentThread()));
      thread.join();
      scheduler.close();
      assertThat(thread.join().isAlive()).as("alarm %s", i).isFalse();
    }
  }
}
