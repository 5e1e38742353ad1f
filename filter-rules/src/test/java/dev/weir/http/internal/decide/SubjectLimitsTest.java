package dev.weir.http.internal.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.LogCapture;
import dev.weir.fixture.ManualTime;
import dev.weir.http.LimitFunction;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.internal.store.DaemonThreads;
import dev.weir.limit.Limit;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.Subject;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The numbers of single subjects, looked up aside of requests. */
class SubjectLimitsTest {

  private static final NamedLimit QUOTA =
      new NamedLimit("subject-limits-test", Limit.parse("5 per hour"));

  private final ManualTime time = new ManualTime();
  private final Queue<Runnable> ofKnown = new ArrayDeque<>();
  private final Queue<Runnable> ofOthers = new ArrayDeque<>();
  private final SubjectLimits limits =
      new SubjectLimits(
          time,
          new SubjectLimits.Pool(ofKnown::add, ofKnown::clear),
          new SubjectLimits.Pool(ofOthers::add, ofOthers::clear));
  private final Map<String, String> database = new HashMap<>(Map.of("ann", "50 per hour"));
  private final List<String> calls = new ArrayList<>();
  private LimitFunction function = this::select;

  @Test
  void until_the_function_returns_the_limits_own_numbers_hold() {
    assertThat(limitOf("ann")).isEqualTo("5 per hour");
    assertThat(calls).as("no request waits").isEmpty();
    runAll();
    assertThat(limitOf("ann")).isEqualTo("50 per hour");
    assertThat(limitOf("bob")).isEqualTo("5 per hour");
    runAll();
    assertThat(limitOf("bob")).as("not in the database").isEqualTo("5 per hour");
  }

  @Test
  void a_subject_is_looked_up_once_a_minute_and_one_at_a_time() {
    for (int i = 0; i < 9; i++) {
      limitOf("ann");
      limitOf("bob");
    }
    assertThat(ofOthers).hasSize(2);
    runAll();
    time.advance(Duration.ofSeconds(59));
    limitOf("ann");
    limitOf("bob");
    runAll();
    assertThat(calls).containsExactly("ann", "bob");
    database.put("ann", "60 per hour");
    database.put("bob", "7 per hour");
    time.advance(Duration.ofSeconds(1));
    assertThat(limitOf("ann")).as("the last known").isEqualTo("50 per hour");
    limitOf("bob");
    runAll();
    assertThat(calls).containsExactly("ann", "bob", "ann", "bob");
    assertThat(limitOf("ann")).isEqualTo("60 per hour");
    assertThat(limitOf("bob")).isEqualTo("7 per hour");
  }

  @Test
  void who_has_no_numbers_any_more_has_those_of_the_limit() {
    known("ann");
    database.clear();
    time.advance(Duration.ofMinutes(1));
    limitOf("ann");
    runAll();
    assertThat(limitOf("ann")).isEqualTo("5 per hour");
  }

  @Test
  void while_it_fails_the_last_known_numbers_hold_and_the_log_has_one_line_a_minute() {
    known("ann");
    try (LogCapture log = new LogCapture("dev.weir.http")) {
      function =
          subject -> {
            throw new SQLException("no row for s3cr3t " + subject);
          };
      for (int minute = 1; minute <= 2; minute++) {
        time.advance(Duration.ofMinutes(1));
        assertThat(limitOf("ann")).isEqualTo("50 per hour");
        assertThat(limitOf("bob")).isEqualTo("5 per hour");
        runAll();
        assertThat(limitOf("ann")).isEqualTo("50 per hour");
        assertThat(limitOf("bob")).isEqualTo("5 per hour");
        assertThat(ofOthers).as("no sooner than in a minute").isEmpty();
        assertThat(lines(log)).hasSize(minute);
      }
      assertThat(lines(log).get(0))
          .startsWith("limit 'subject-limits-test': ")
          .contains(" failed: java.sql.SQLException at " + getClass().getName())
          .endsWith(": the numbers that were last known apply, or else those of the limit");
      assertThat(lines(log).get(1)).endsWith(" (suppressed since the last warning: 1)");
      assertThat(lines(log)).noneMatch(line -> line.contains("s3cr3t") || line.contains("no row"));
    }
  }

  @Test
  void another_algorithm_and_no_limit_at_all_are_refused() {
    for (String wrong : List.of("50 per hour window", "4 concurrent", "fifty", "", "0 per hour")) {
      known("ann");
      database.put("ann", wrong);
      time.advance(Duration.ofMinutes(1));
      limitOf("ann");
      try (LogCapture log = new LogCapture("dev.weir.http")) {
        runAll();
        assertThat(limitOf("ann")).as(wrong).isEqualTo("50 per hour");
        assertThat(lines(log)).as(wrong).hasSize(1);
        assertThat(lines(log).get(0)).doesNotContain("fifty");
      }
      database.put("ann", "50 per hour");
      time.advance(Duration.ofMinutes(1));
    }
  }

  @Test
  void after_a_reload_with_another_algorithm_the_new_limits_own_numbers_hold() {
    known("ann");
    NamedLimit window = new NamedLimit(QUOTA.name(), Limit.parse("5 per hour window"));
    Limit limit = limits.limitOf(window, function, subject("ann"), () -> "192.0.2.1");
    assertThat(limit).isEqualTo(window.limit());
  }

  @Test
  void what_stands_for_a_missing_key_is_not_looked_up() {
    for (Subject.Part part :
        List.of(
            new Subject.Part("ip:header:x-api-key", "192.0.2.1"),
            new Subject.Part("header:x-api-key", ""),
            new Subject.Part("header:x-api-key", "\0sha-256:AAAA"))) {
      Limit limit = limits.limitOf(QUOTA, function, new Subject(List.of(part)), () -> "192.0.2.1");
      assertThat(limit).isEqualTo(QUOTA.limit());
    }
    assertThat(ofOthers).isEmpty();
  }

  @Test
  void of_several_parts_the_first_has_the_numbers() {
    for (String path : List.of("/a", "/b", "/c")) {
      Subject subject = subject("ann").and("path", path);
      limits.limitOf(QUOTA, function, subject, () -> "192.0.2.1");
      runAll();
      assertThat(limits.limitOf(QUOTA, function, subject, () -> "192.0.2.1"))
          .hasToString("50 per hour");
    }
    assertThat(calls).containsExactly("ann");
  }

  @Test
  void made_up_subjects_of_one_address_delay_nobody_else() {
    for (int i = 0; i < 10_000; i++) {
      limitOf("made-up-" + i, "198.51.100.66");
    }
    assertThat(ofOthers).hasSize(SubjectLimits.MOST_OF_ADDRESS);
    limitOf("ann", "192.0.2.1");
    assertThat(ofOthers).hasSize(SubjectLimits.MOST_OF_ADDRESS + 1);
    runAll();
    assertThat(limitOf("ann", "192.0.2.1")).isEqualTo("50 per hour");
    limitOf("made-up-9", "198.51.100.66");
    assertThat(ofOthers).as("it may go on").hasSize(1);
  }

  @Test
  void a_flood_of_made_up_subjects_removes_no_known_numbers_and_the_memory_is_bounded() {
    known("ann");
    for (int i = 0; i < 3 * SubjectLimits.MOST_SUBJECTS; i++) {
      limitOf("made-up-" + i, "198.51.100." + i % 256);
      runAll();
    }
    assertThat(calls).hasSize(1 + 3 * SubjectLimits.MOST_SUBJECTS);
    assertThat(limits.remembered()).isEqualTo(1 + SubjectLimits.MOST_SUBJECTS);
    time.advance(Duration.ofMinutes(1));
    assertThat(limitOf("ann")).isEqualTo("50 per hour");
    assertThat(ofKnown).as("which has a queue of its own").hasSize(1);
  }

  @Test
  @Timeout(60)
  void a_function_that_hangs_holds_no_request_and_eight_threads_for_new_subjects() {
    CountDownLatch hanging = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    LimitFunction hangs =
        subject -> {
          running.incrementAndGet();
          hanging.await();
          return null;
        };
    try (SubjectLimits real =
        DaemonThreads.ownedBy("hanging", () -> SubjectLimits.of(Ticker.system()))) {
      for (int i = 0; i < 5_000; i++) {
        String address = "192.0.2." + i % 200;
        assertThat(real.limitOf(QUOTA, hangs, subject("key-" + i), () -> address))
            .isEqualTo(QUOTA.limit());
      }
      await().until(() -> running.get() == 8); // the others are for known subjects
    }
    await().untilAsserted(() -> assertThat(threads()).isEmpty());
  }

  @Test
  @Timeout(60)
  void a_function_that_hangs_is_interrupted_after_30_seconds() {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(1);
    LimitFunction hangs =
        subject -> {
          entered.countDown();
          hanging.await();
          return null;
        };
    try (LogCapture log = new LogCapture("dev.weir.http");
        SubjectLimits real = SubjectLimits.of(time)) {
      Runnable request = () -> real.limitOf(QUOTA, hangs, subject("s3cr3t"), () -> "192.0.2.1");
      request.run();
      await().until(() -> entered.getCount() == 0);
      time.advance(Duration.ofSeconds(30));
      request.run();
      await().until(() -> !lines(log).isEmpty());
      assertThat(lines(log))
          .singleElement()
          .asString()
          .contains(" failed: java.lang.InterruptedException at ")
          .doesNotContain("s3cr3t");
    }
  }

  @Test
  @Timeout(60)
  void a_function_that_ignores_the_interrupt_is_named_once_a_minute() {
    CountDownLatch hanging = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(1);
    AtomicInteger interrupts = new AtomicInteger();
    LimitFunction hangs =
        subject -> {
          entered.countDown();
          while (hanging.getCount() > 0) {
            try {
              hanging.await();
            } catch (InterruptedException ignored) {
              interrupts.incrementAndGet();
            }
          }
          return null;
        };
    try (LogCapture log = new LogCapture("dev.weir.http");
        SubjectLimits real = SubjectLimits.of(time)) {
      Runnable request = () -> real.limitOf(QUOTA, hangs, subject("s3cr3t"), () -> "192.0.2.1");
      request.run();
      await().until(() -> entered.getCount() == 0);
      time.advance(Duration.ofSeconds(29));
      request.run();
      time.advance(Duration.ofSeconds(30));
      request.run();
      await().until(() -> interrupts.get() == 1);
      assertThat(lines(log)).as("59 seconds").isEmpty();
      for (int minute = 1; minute <= 2; minute++) {
        time.advance(Duration.ofSeconds(minute == 1 ? 1 : 60));
        request.run();
        request.run();
        assertThat(lines(log)).hasSize(minute);
      }
      assertThat(lines(log))
          .allMatch(line -> line.contains(" has not returned for a minute: the numbers that"))
          .noneMatch(line -> line.contains("s3cr3t"));
      assertThat(interrupts).hasValue(1);
      hanging.countDown();
    }
  }

  @Test
  @Timeout(60)
  void a_function_has_the_class_loader_of_its_application() {
    List<@Nullable ClassLoader> seen = new ArrayList<>();
    CountDownLatch called = new CountDownLatch(1);
    LimitFunction noting =
        subject -> {
          seen.add(Thread.currentThread().getContextClassLoader());
          called.countDown();
          return null;
        };
    try (SubjectLimits real = SubjectLimits.of(Ticker.system())) {
      real.limitOf(QUOTA, noting, subject("ann"), () -> "192.0.2.1");
      await().until(() -> called.getCount() == 0);
    }
    assertThat(seen).containsExactly(getClass().getClassLoader());
  }

  private void known(String subject) {
    limitOf(subject);
    runAll();
    assertThat(limitOf(subject)).isEqualTo("50 per hour");
  }

  private @Nullable String select(String subject) {
    calls.add(subject);
    return database.get(subject);
  }

  private String limitOf(String subject) {
    return limitOf(subject, "192.0.2.1");
  }

  private String limitOf(String subject, String address) {
    return limits.limitOf(QUOTA, function, subject(subject), () -> address).toString();
  }

  private void runAll() {
    for (Queue<Runnable> queue : List.of(ofKnown, ofOthers)) {
      while (!queue.isEmpty()) {
        queue.remove().run();
      }
    }
  }

  private static Subject subject(String value) {
    return Subject.of("header:x-api-key", value);
  }

  private static List<String> lines(LogCapture log) {
    return log.records().stream()
        .map(LogRecord::getMessage)
        .filter(line -> line.contains(QUOTA.name()))
        .toList();
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter("weir-new-numbers-hanging"::equals)
        .toList();
  }
}
