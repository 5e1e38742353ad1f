package dev.weir.bench.peer;

import java.util.Locale;

/** The names of what is counted: as long for the peers as Weir's own in Redis. */
public final class Keys {

  /** Names Weir's keys. */
  public static final String APPLICATION = "bench";

  /** Names Weir's limit. */
  public static final String LIMIT = "api";

  private Keys() {}

  /** Who is counted, in as many characters as a digest has. */
  public static String subject(int key) {
    return String.format(Locale.ROOT, "user-%017d", key);
  }

  /**
   * {@code naive:{…}b:api}, which is how long Weir's are.
   *
   * @param owner whose keys they are, in as many letters as {@link #APPLICATION} has
   */
  static String inRedis(String owner, int key) {
    return inRedis(owner, subject(key));
  }

  static String inRedis(String owner, String subject) {
    return owner + ":{" + subject + "}b:" + LIMIT;
  }
}
