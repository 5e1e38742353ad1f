package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InOrderTest {

  private final InOrder tasks = new InOrder();
  private final List<Integer> done = new CopyOnWriteArrayList<>();

  @Test
  void tasks_run_in_the_order_in_which_they_were_added_and_not_before_they_are_run() {
    add(1);
    add(2);
    assertThat(done).isEmpty();
    tasks.run();
    assertThat(done).containsExactly(1, 2);
  }

  @Test
  void one_that_a_task_adds_runs_after_it() {
    tasks.add(
        () -> {
          add(2);
          tasks.run();
          done.add(1);
        });
    tasks.run();
    assertThat(done).containsExactly(1, 2);
  }

  @Test
  void one_that_fails_keeps_no_later_one() {
    tasks.add(
        () -> {
          throw new IllegalStateException("as a test wants");
        });
    add(1);
    assertThatThrownBy(tasks::run).hasMessage("as a test wants");
    tasks.run();
    assertThat(done).containsExactly(1);
  }

  @Test
  void none_is_left_when_many_threads_add_and_run() {
    int threads = 8;
    int each = 10_000;
    List<CompletableFuture<Void>> all =
        IntStream.range(0, threads)
            .mapToObj(thread -> CompletableFuture.runAsync(() -> addAndRun(each)))
            .toList();
    all.forEach(CompletableFuture::join);
    assertThat(count).isEqualTo(threads * each);
  }

  /** Changed by one task at a time. */
  private int count;

  private void addAndRun(int times) {
    for (int i = 0; i < times; i++) {
      tasks.add(() -> count++);
      tasks.run();
    }
  }

  private void add(int number) {
    tasks.add(() -> done.add(number));
  }
}
