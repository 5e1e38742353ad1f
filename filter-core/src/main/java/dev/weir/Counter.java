package dev.weir;

import java.util.Arrays;
import java.util.Objects;

/**
 * One limit applied to one subject: what a store keeps under one key.
 *
 * <p>The name and the subject identify a counter. Its limit is the numbers that hold now: when they
 * change, what was consumed carries over.
 *
 * @param name the name of the limit: printable ASCII without quotes, backslashes and braces, since
 *     it stands in keys and in response fields
 */
public record Counter(String name, Limit limit, Subject subject) {

  private static final int LONGEST_NAME = 128;
  private static final boolean[] ALLOWED = allowed();

  /**
   * @throws IllegalArgumentException when the name is blank, longer than 128 characters, or has a
   *     character that it may not have
   */
  public Counter {
    Objects.requireNonNull(limit, "limit");
    Objects.requireNonNull(subject, "subject");
    validateName(name);
  }

  /** Whether both count the same thing: their numbers may differ. */
  public boolean isSameAs(Counter other) {
    return name.equals(other.name) && subject.equals(other.subject);
  }

  /**
   * Checks the name of a limit before there is a counter, as configuration does.
   *
   * @throws IllegalArgumentException when the name is not one that a counter accepts
   */
  public static void validateName(String name) {
    Expect.named("name", name);
    if (name.length() > LONGEST_NAME) {
      throw Expect.failure("name", "'" + name + "'", "at most 128 characters");
    }
    if (!hasOnlyAllowed(name)) {
      throw Expect.failure("name", "'" + name + "'", "printable ASCII without \" \\ { and }");
    }
  }

  /** Without a stream: every decision makes a counter. */
  private static boolean hasOnlyAllowed(String name) {
    for (int i = 0; i < name.length(); i++) {
      char character = name.charAt(i);
      if (character >= ALLOWED.length || !ALLOWED[character]) {
        return false;
      }
    }
    return true;
  }

  /** A table, for every decision has a name that is looked through. */
  private static boolean[] allowed() {
    boolean[] allowed = new boolean[0x7F];
    Arrays.fill(allowed, ' ', allowed.length, true);
    for (char forbidden : new char[] {'"', '\\', '{', '}'}) {
      allowed[forbidden] = false;
    }
    return allowed;
  }
}
