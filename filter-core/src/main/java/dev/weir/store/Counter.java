package dev.weir.store;

import dev.weir.internal.Expect;
import dev.weir.limit.Limit;
import java.util.Arrays;
import java.util.Objects;

/**
 * One limit applied to one subject. A store keeps each counter under one key.
 *
 * <p>The name and the subject identify a counter. Its limit has the current numbers. When they
 * change, what was consumed carries over.
 *
 * @param name the name of the limit: 1 to 128 characters of printable ASCII without double quotes,
 *     backslashes and braces, since it is part of keys and response fields; not blank
 */
public record Counter(String name, Limit limit, Subject subject) {

  private static final int LONGEST_NAME = 128;
  private static final boolean[] ALLOWED = allowed();

  /**
   * @throws IllegalArgumentException when the name is blank, longer than 128 characters, or has a
   *     character that is not allowed
   */
  public Counter {
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(subject, "subject");
    validateName(name);
  }

  /** Returns whether both have the same name and subject. Their numbers may differ. */
  public boolean isSameAs(Counter other) {
    return name.equals(other.name) && subject.equals(other.subject);
  }

  /**
   * Checks the name of a limit before a counter exists, as configuration does.
   *
   * @throws IllegalArgumentException when a counter does not accept the name
   */
  public static void validateName(String name) {
    if (name.isBlank()) {
      throw Expect.failure("name", "'" + name + "'", "a name that is not blank");
    }
    if (name.length() > LONGEST_NAME) {
      throw Expect.failure("name", "'" + name + "'", "at most 128 characters");
    }
    if (!hasOnlyAllowed(name)) {
      throw Expect.failure("name", "'" + name + "'", "printable ASCII without \" \\ { and }");
    }
  }

  /** Avoids a stream, since every decision creates a counter. */
  private static boolean hasOnlyAllowed(String name) {
    for (int i = 0; i < name.length(); i++) {
      char character = name.charAt(i);
      if (character >= ALLOWED.length || !ALLOWED[character]) {
        return false;
      }
    }
    return true;
  }

  /** Returns a table, since every decision checks each character of a name. */
  private static boolean[] allowed() {
    boolean[] allowed = new boolean[0x7F];
    Arrays.fill(allowed, ' ', allowed.length, true);
    for (char forbidden : new char[] {'"', '\\', '{', '}'}) {
      allowed[forbidden] = false;
    }
    return allowed;
  }
}
