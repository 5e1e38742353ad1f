package dev.weir.redis.internal.client;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * What an error means for the decisions to come.
 *
 * <p>Texts are searched, not compared: Redis 7 says {@code OOM ...} where 6.2 says {@code ERR Error
 * running script ... -OOM ...}.
 */
public enum ErrorKind {
  /** Redis cannot decide for now: gone, slow, full, loading, busy. */
  OUTAGE,
  /** It is a replica: another server may be the primary by now. */
  DEMOTED,
  /** Redis will not decide until somebody changes the set-up: credentials, rights, commands. */
  SETUP,
  /** The same for one command of our script. What the script did before it stays done. */
  SETUP_IN_SCRIPT,
  /** This key cannot be decided for now, while others can: its slot is being moved. */
  PASSING,
  /** Our script failed for our own reasons, and may have done a part: a bug, and no outage. */
  BUG,
  /** Nothing that Redis is known to reply: a proxy may have passed the call on before. */
  UNKNOWN;

  private static final List<String> OUTAGES =
      List.of(
          "OOM ",
          "NOREPLICAS",
          "MISCONF",
          "LOADING",
          "MASTERDOWN",
          "CLUSTERDOWN",
          "BUSY ",
          "max number of clients");
  private static final List<String> SETUPS =
      List.of(
          "NOAUTH",
          "WRONGPASS",
          "NOPERM",
          "can't run this command",
          "can't access",
          "ACL failure",
          "has no permissions",
          "MOVED ",
          "unknown command");

  /**
   * Whether the breaker of the primary counts it. A right may be missing for one kind of limit
   * alone, so {@link CircuitBreaker#doubted} finds out.
   */
  boolean countsAgainstPrimary() {
    return switch (this) {
      case PASSING, BUG, SETUP, SETUP_IN_SCRIPT -> false;
      case OUTAGE, DEMOTED, UNKNOWN -> true;
    };
  }

  /** Whether Redis may have run the call, or a part of it. */
  boolean mayHaveRun() {
    return this == BUG || this == UNKNOWN || this == SETUP_IN_SCRIPT;
  }

  /** Whether a right or a command is missing, which somebody has to set up. */
  boolean isSetup() {
    return this == SETUP || this == SETUP_IN_SCRIPT;
  }

  /** What this failure of a call means. */
  public static ErrorKind of(Throwable error) {
    if (error instanceof OutcomeUnknownException && error.getCause() != null) {
      return error.getCause() instanceof JedisException why ? of(why) : BUG;
    }
    return error instanceof JedisDataException ? of(error.getMessage()) : OUTAGE;
  }

  private static ErrorKind of(@Nullable String message) {
    String text = message == null ? "" : message;
    if (text.startsWith("TRYAGAIN")) {
      return PASSING;
    }
    if (text.contains("READONLY")) {
      return DEMOTED;
    }
    if (contains(text, OUTAGES)) {
      return OUTAGE;
    }
    if (contains(text, SETUPS)) {
      return isScripts(text) ? SETUP_IN_SCRIPT : SETUP;
    }
    return isScripts(text) ? BUG : UNKNOWN;
  }

  private static boolean contains(String text, List<String> marks) {
    return marks.stream().anyMatch(text::contains);
  }

  private static boolean isScripts(String text) {
    return text.contains("user_script")
        || text.toLowerCase(Locale.ROOT).contains("running script")
        || text.contains("executing the script")
        || text.contains("CROSSSLOT")
        || text.contains("Wrong number of args");
  }
}
