package dev.weir.local;

import dev.weir.Subject;
import java.util.List;

/**
 * What the map knows a counter by, whatever its numbers: the limit's name and the subject, compared
 * whole, so that no two counters are taken for one.
 *
 * <p>Clients choose subjects, and may choose many whose hashes are equal. Keys are in order, by
 * which a {@link java.util.HashMap} keeps those apart in few steps.
 */
final class CounterKey implements Comparable<CounterKey> {

  private final String name;
  private final Subject subject;
  private final int hash;

  CounterKey(String name, Subject subject) {
    this.name = name;
    this.subject = subject;
    this.hash = 31 * name.hashCode() + subject.hashCode();
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CounterKey that
        && hash == that.hash
        && name.equals(that.name)
        && subject.equals(that.subject);
  }

  @Override
  public int compareTo(CounterKey other) {
    int order = name.compareTo(other.name);
    return order == 0 ? compare(subject.parts(), other.subject.parts()) : order;
  }

  private static int compare(List<Subject.Part> parts, List<Subject.Part> others) {
    int order = Integer.compare(parts.size(), others.size());
    for (int i = 0; i < parts.size() && order == 0; i++) {
      order = compare(parts.get(i), others.get(i));
    }
    return order;
  }

  private static int compare(Subject.Part part, Subject.Part other) {
    int order = part.kind().compareTo(other.kind());
    return order == 0 ? part.value().compareTo(other.value()) : order;
  }
}
