package dev.weir.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Steps over some counters in turn.
 *
 * @param expected the models' answers; nothing where there is no exact model
 */
record Trace(List<TraceStep> turns, List<Step.Reply> expected) {

  /** Returns so many steps, over as many counters as there are walks. */
  static Trace of(List<Walk> walks, int steps, SplittableRandom random) {
    Trace trace = new Trace(new ArrayList<>(steps), new ArrayList<>(steps));
    while (trace.turns.size() < steps) {
      int key = random.nextInt(walks.size());
      Walk walk = walks.get(key);
      int before = walk.steps().size();
      walk.step();
      for (int i = before; i < walk.steps().size(); i++) {
        trace.add(key, walk, i);
      }
    }
    return trace;
  }

  private void add(int key, Walk walk, int step) {
    turns.add(new TraceStep(key, walk.steps().get(step)));
    if (step < walk.expected().size()) {
      expected.add(walk.expected().get(step));
    }
  }

  /** Returns the same steps, as models without a memory answer them. */
  static <M extends LimitModel<M>> Trace replayed(List<TraceStep> turns, M none) {
    TreeMap<Integer, ModelRun<M>> runs = new TreeMap<>();
    Trace trace = new Trace(turns, new ArrayList<>());
    for (TraceStep turn : turns) {
      ModelRun<M> run = runs.computeIfAbsent(turn.key(), key -> new ModelRun<>(none));
      run.apply(turn.step());
      trace.expected.add(run.expected.get(run.expected.size() - 1));
    }
    return trace;
  }

  /**
   * @throws AssertionError at the first step that is not as its model says
   */
  void assertReplied(List<Replied> answers) {
    for (int i = 0; i < expected.size(); i++) {
      if (!answers.get(i).reply().equals(expected.get(i))) {
        throw new AssertionError(
            "step %d: %s%n  after    %s%n  expected %s%n  answered %s"
                .formatted(
                    i,
                    turns.get(i),
                    answers.get(i).before(),
                    expected.get(i),
                    answers.get(i).reply()));
      }
    }
  }

  /** Returns the answers of each counter alone. */
  static List<List<Replied>> byKey(List<Replied> answers) {
    int keys = 1 + answers.stream().mapToInt(answer -> answer.turn().key()).max().orElse(-1);
    List<List<Replied>> all =
        IntStream.range(0, keys).<List<Replied>>mapToObj(key -> new ArrayList<>()).toList();
    answers.forEach(answer -> all.get(answer.turn().key()).add(answer));
    return all;
  }
}
