package dev.weir.near;

import dev.weir.Counter;
import dev.weir.Subject;
import java.util.Comparator;
import java.util.List;

/**
 * A counter, whatever its numbers. Clients choose subjects, and may choose many of one hash: those
 * are found in a map by their order.
 */
record CounterKey(String name, Subject subject) implements Comparable<CounterKey> {

  private static final Comparator<Subject.Part> PARTS =
      Comparator.comparing(Subject.Part::kind).thenComparing(Subject.Part::value);

  static CounterKey of(Counter counter) {
    return new CounterKey(counter.name(), counter.subject());
  }

  @Override
  public int compareTo(CounterKey other) {
    int order = name.compareTo(other.name);
    List<Subject.Part> parts = subject.parts();
    List<Subject.Part> others = other.subject.parts();
    for (int i = 0; order == 0 && i < Math.min(parts.size(), others.size()); i++) {
      order = PARTS.compare(parts.get(i), others.get(i));
    }
    return order == 0 ? Integer.compare(parts.size(), others.size()) : order;
  }

  /**
   * @param stripes a power of two
   */
  int stripe(int stripes) {
    int hash = hashCode();
    return (hash ^ hash >>> 16) & (stripes - 1);
  }
}
