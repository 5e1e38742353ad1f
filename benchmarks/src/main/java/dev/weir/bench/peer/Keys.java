package dev.weir.bench.peer;

import java.util.Locale;

/** The keys of the counters: the peers' have the same length as Weir's own in Redis. */
public final class Keys {

  /** Names Weir's keys. */
  public static final String APPLICATION = "bench";

  /** Names those of an earlier build, in as many letters. */
  static final String EARLIER_APPLICATION = "prior";

  /** Names Weir's limit. */
  public static final String LIMIT = "api";

  private Keys() {}

  /** Returns a subject with as many characters as a digest has. */
  public static String subject(long key) {
    return String.format(Locale.ROOT, "user-%017d", key);
  }

  /**
   * Returns {@code naive:{…}b:api}, which has the length of Weir's keys.
   *
   * @param owner the peer's name, in as many letters as {@link #APPLICATION} has
   */
  static String inRedis(String owner, int key) {
    return inRedis(owner, subject(key));
  }

  static String inRedis(String owner, String subject) {
    return owner + ":{" + subject + "}b:" + LIMIT;
  }
}
