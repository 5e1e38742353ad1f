package dev.weir.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.store.AcquireRequest;
import dev.weir.store.LimiterListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * A process of virtual threads that decide one after the other. It runs on JDKs with such threads,
 * while this code is compiled for one without. It prints {@code ready} when it decides. It begins
 * to count with the first line that it reads, {@code counting}. With the second line it ends and
 * prints the results.
 */
final class VirtualCallers {

  private static final int CALLERS = 256;
  private static final Duration DEADLINE = Duration.ofMillis(100);

  /** About as long as a request that is served by other means keeps its thread. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final RedisLimitStore store;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicLong decided = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong interrupts = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();

  private VirtualCallers(RedisLimitStore store) {
    this.store = store;
  }

  /**
   * Arguments: the URI of Redis; one in how many calls is interrupted, 0 for none; and the store's
   * deadline in milliseconds, while calls have {@link #DEADLINE}.
   */
  @SuppressWarnings("SystemOut") // how a process speaks to the one that started it
  public static void main(String[] args) throws Exception {
    RedisOptions options =
        RedisOptions.of(args[0], "virtual")
            .withDeadline(Duration.ofMillis(Long.parseLong(args[2])));
    try (RedisLimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE);
        Scanner orders = new Scanner(System.in, UTF_8)) {
      store.awaitAnswer(Duration.ofSeconds(10));
      loadDenials(store);
      VirtualCallers callers = new VirtualCallers(store);
      ExecutorService executor = virtualThreads();
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        running.add(executor.submit(() -> callers.decideAll(Integer.parseInt(args[1]))));
      }
      while (callers.decided.get() < 100 * CALLERS) {
        Thread.onSpinWait();
      }
      System.out.println("ready");
      orders.nextLine();
      try (Recording recording = new Recording()) {
        recording.enable("jdk.VirtualThreadPinned").withThreshold(Duration.ZERO).withStackTrace();
        recording.start();
        callers.forget();
        System.out.println("counting");
        orders.nextLine();
        callers.isOver.set(true);
        for (Future<?> one : running) {
          one.get();
        }
        recording.stop();
        System.out.println(callers.text(pinned(recording)));
      }
    }
  }

  /**
   * Loads the classes of a denial before anything is counted. A thread is pinned while it waits for
   * another that loads a class. The calls before load the classes of a grant.
   */
  private static void loadDenials(RedisLimitStore store) {
    AcquireRequest request = Load.request("1 per hour", Duration.ofSeconds(1));
    Load.once(store, request);
    Load.once(store, request);
  }

  /** Uses reflection: this code is compiled for a JDK that has none. */
  private static ExecutorService virtualThreads() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  private void forget() {
    decided.set(0);
    failed.set(0);
    interrupts.set(0);
    slowestNanos.set(0);
  }

  private void decideAll(int interruptedOneIn) {
    for (long call = 1; !isOver.get(); call++) {
      if (interruptedOneIn > 0 && call % interruptedOneIn == 0) {
        interrupts.incrementAndGet();
        Thread.currentThread().interrupt();
      }
      Load.Replied answer = Load.once(store, DEADLINE);
      Thread.interrupted();
      slowestNanos.accumulateAndGet(answer.took().toNanos(), Math::max);
      if (answer.decision().isPresent()) {
        decided.incrementAndGet();
      } else {
        failed.incrementAndGet();
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  @SuppressWarnings("SystemOut") // where it was pinned
  private static long pinned(Recording recording) throws IOException {
    Path file = Files.createTempFile("weir", ".jfr");
    try {
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(event -> String.valueOf(event.getStackTrace()).contains("dev.weir"))
          .peek(System.err::println)
          .count();
    } finally {
      Files.delete(file);
    }
  }

  private String text(long pinned) {
    return "decided=%d failed=%d interrupts=%d slowestMillis=%d pinned=%d"
        .formatted(
            decided.get(), failed.get(), interrupts.get(), slowestNanos.get() / 1_000_000, pinned);
  }
}
