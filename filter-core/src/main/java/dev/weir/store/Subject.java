package dev.weir.store;

import dev.weir.internal.Expect;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The client that is counted: an address, an API key, a user, a tenant, or several of these
 * together.
 *
 * <p>Two subjects are the same only when all their parts are, kind and value. The user {@code 7} is
 * not the tenant {@code 7}. Values may be secrets, so {@link #toString} shows only the kinds.
 *
 * <p>A kind is any text that is not blank, of any length. A kind may occur more than once. Then all
 * its parts count, and {@link #only} returns the first of them. Neither a kind nor a value is null.
 *
 * @param parts at least one, in an order that matters
 */
public record Subject(List<Part> parts) {

  private static final Subject GLOBAL = new Subject(List.of(new Part("global", "*")));

  /**
   * One aspect of a subject.
   *
   * @param kind what the value is, such as {@code ip} or {@code header:x-api-key}. A rule's part
   *     {@code header:NAME} has its name in lower case. Other parts of a rule have the kind that is
   *     written
   * @param value any string, including the empty one
   */
  public record Part(String kind, String value) {

    /**
     * @throws IllegalArgumentException when the kind is blank
     */
    public Part {
      if (kind.isBlank()) {
        throw Expect.failure("kind", "'" + kind + "'", "a name that is not blank");
      }
      Objects.requireNonNull(value, "value");
    }

    /** Returns the kind, never the value. */
    @Override
    public String toString() {
      return kind;
    }
  }

  /**
   * @throws IllegalArgumentException when there is no part
   */
  public Subject {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw Expect.failure("parts", parts, "at least one");
    }
  }

  /**
   * Returns a subject of one part of the kind {@code subject}. The value is the program's own name
   * for a user or job.
   */
  public static Subject of(String value) {
    return of("subject", value);
  }

  /**
   * Returns a subject of one part.
   *
   * @param kind what the value is, such as {@code user}
   * @param value any string, including the empty one
   * @throws IllegalArgumentException when the kind is blank
   */
  public static Subject of(String kind, String value) {
    return new Subject(List.of(new Part(kind, value)));
  }

  /**
   * Returns this subject with one more part, behind its others. The kind may be one that it has
   * already.
   *
   * @param kind what the value is, such as {@code tenant}
   * @param value any string, including the empty one
   * @throws IllegalArgumentException when the kind is blank
   */
  public Subject and(String kind, String value) {
    List<Part> more = new ArrayList<>(parts);
    more.add(new Part(kind, value));
    return new Subject(more);
  }

  /**
   * Returns the parts of these kinds alone, in this order.
   *
   * @throws IllegalArgumentException when this subject has no part of a kind, or no kind is given
   */
  public Subject only(String... kinds) {
    List<Part> some = new ArrayList<>(kinds.length);
    for (String kind : kinds) {
      some.add(
          parts.stream()
              .filter(part -> part.kind().equals(kind))
              .findFirst()
              .orElseThrow(
                  () -> Expect.failure("subject", this, "one with a part '" + kind + "'")));
    }
    return new Subject(some);
  }

  /** Returns the subject that counts all clients together, as a rule with {@code global} does. */
  public static Subject global() {
    return GLOBAL;
  }

  /** Returns the kinds of the parts, never their values: {@code header:x-api-key+ip}. */
  @Override
  public String toString() {
    return parts.stream().map(Part::kind).collect(Collectors.joining("+"));
  }
}
