package dev.weir.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A search for the shortest failing trace, which leaves out steps. */
final class Shrinking {

  private Shrinking() {}

  static <T> List<T> shrunk(List<T> steps, Predicate<List<T>> fails) {
    List<T> left = steps;
    for (int size = left.size() / 2; size > 0; size /= 2) {
      int from = 0;
      while (from + size <= left.size()) {
        List<T> fewer = without(left, from, size);
        if (fails.test(fewer)) {
          left = fewer;
        } else {
          from += size;
        }
      }
    }
    return left;
  }

  private static <T> List<T> without(List<T> steps, int from, int size) {
    List<T> fewer = new ArrayList<>(steps.subList(0, from));
    fewer.addAll(steps.subList(from + size, steps.size()));
    return fewer;
  }
}
