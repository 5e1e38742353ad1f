package dev.weir.local;

import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/** Made-up traces, each of them from a seed of its own. */
final class ModelTraces {

  private ModelTraces() {}

  /**
   * @param follow given what is random in a trace, and its name for messages
   */
  static void each(int traces, long seed, BiConsumer<SplittableRandom, String> follow) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int trace = 0; trace < traces; trace++) {
      follow.accept(random.split(), "seed " + seed + ", trace " + trace);
    }
  }
}
