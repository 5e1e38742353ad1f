package dev.weir.internal;

import dev.weir.Subject;
import java.util.List;

/**
 * Identifies a counter in a map by the limit's name and the subject, whatever the limit's numbers
 * are. Immutable.
 *
 * <p>Clients choose subjects, and may choose many with the same hash. Keys are ordered, so a {@link
 * java.util.HashMap} finds such a key in logarithmic time.
 */
public final class CounterKey implements Comparable<CounterKey> {

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
