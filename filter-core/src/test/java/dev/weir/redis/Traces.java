package dev.weir.redis;

import dev.weir.limit.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Traces over counters of one limit: how they are made up, and what holds of the answers.
 *
 * @param <M> the model that answers a limit exactly
 * @param none a model without any count; null where there is no exact model
 * @param lines limits in one line are the same one before and after a change of its numbers
 * @param promise holds of each counter's answers, in addition to what holds of every limit's
 */
record Traces<M extends LimitModel<M>>(
    String name,
    @Nullable M none,
    List<List<Limit>> lines,
    BiFunction<SplittableRandom, List<Limit>, Walk> walk,
    Promise promise) {

  static final int STEPS = 200;

  private static final Promise OF_ANSWERS = new AnswerPromise();

  /** Generates a trace over one to three counters. */
  Trace generate(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Limit> limits = lines.get(random.nextInt(lines.size()));
    int keys = 1 + random.nextInt(3);
    List<Walk> walks = new ArrayList<>();
    for (int key = 0; key < keys; key++) {
      walks.add(walk.apply(random.split(), limits));
    }
    return Trace.of(walks, STEPS, random);
  }

  Trace replayed(List<TraceStep> turns) {
    return none == null ? new Trace(turns, List.of()) : Trace.replayed(turns, none);
  }

  /**
   * Counters never affect each other (P11): each alone answers as it would without the others.
   *
   * @throws AssertionError at a wrong answer
   */
  void check(Trace trace, List<Replied> answers) {
    for (List<Replied> ofOneKey : Trace.byKey(answers)) {
      OF_ANSWERS.check(ofOneKey);
      promise.check(ofOneKey);
    }
    trace.assertReplied(answers);
  }

  static List<List<Limit>> parsed(List<List<String>> lines) {
    return lines.stream().map(line -> line.stream().map(Limit::parse).toList()).toList();
  }

  @Override
  public String toString() {
    return name;
  }
}
