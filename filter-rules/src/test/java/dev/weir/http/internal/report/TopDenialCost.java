package dev.weir.http.internal.report;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A measurement of what a denial costs the list of the most denied subjects. It is not part of the
 * gate and runs by its name: processor time, the median of rounds.
 */
@SuppressWarnings("SystemOut") // the purpose of this class
class TopDenialCost {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int DENIALS = 1_000_000;
  private static final int SUBJECTS = 100_000;
  private static final int ROUNDS = 9;

  private final String[] tags =
      IntStream.range(0, SUBJECTS).mapToObj(i -> "tag" + i).toArray(String[]::new);

  @Test
  void a_denial_among_a_hundred_thousand_subjects_with_one_abuser() {
    TopSubjects top = new TopSubjects(System::nanoTime);
    long[] nanos =
        IntStream.range(0, ROUNDS).mapToLong(round -> round(top, round)).sorted().toArray();
    System.out.printf("top denied: %.2f µs a denial%n", nanos[ROUNDS / 2] / 1e3 / DENIALS);
  }

  private long round(TopSubjects top, int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] order = new int[DENIALS];
    for (int i = 0; i < DENIALS; i++) {
      order[i] = random.nextInt(50) == 0 ? 0 : random.nextInt(SUBJECTS);
    }
    long before = THREADS.getCurrentThreadCpuTime();
    for (int subject : order) {
      top.add(tags[subject]);
    }
    return THREADS.getCurrentThreadCpuTime() - before;
  }
}
