package dev.weir.redis.internal.client;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The meaning of an error for further decisions.
 *
 * <p>Texts are searched, not compared: Redis 7 says {@code OOM ...} where 6.2 says {@code ERR Error
 * running script ... -OOM ...}.
 */
public enum ErrorKind {
  /** Redis cannot decide for now: lost, slow, full, loading, busy. */
  OUTAGE,
  /** The server is a replica: another server may be the primary by now. */
  DEMOTED,
  /** Redis will not decide until an operator changes the set-up: credentials, rights, commands. */
  SETUP,
  /**
   * The same for one command of our script. The effect of earlier commands of the script remains.
   */
  SETUP_IN_SCRIPT,
  /** This key cannot be decided for now, because its slot is moving. Other keys can. */
  PASSING,
  /** Our script failed for our own reasons, and may have run in part: a bug, and no outage. */
  BUG,
  /** An unknown error. A proxy may have passed the call on before it replied. */
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
          "unknown command",
          "Unknown Redis command");

  /**
   * What servers say that forbid {@code TIME} in scripts, or a write after it. Our scripts have no
   * other command that these texts can mean.
   */
  private static final List<String> TIMELESS =
      List.of("not allowed from script", "after non deterministic commands");

  /**
   * Returns whether the breaker of the primary counts it. A missing right may affect only one kind
   * of limit, which {@link CircuitBreaker#doubted} checks.
   */
  boolean countsAgainstPrimary() {
    return switch (this) {
      case PASSING, BUG, SETUP, SETUP_IN_SCRIPT -> false;
      case OUTAGE, DEMOTED, UNKNOWN -> true;
    };
  }

  /** Returns whether Redis may have run the call, or a part of it. */
  boolean mayHaveRun() {
    return this == BUG || this == UNKNOWN || this == SETUP_IN_SCRIPT;
  }

  /** Returns whether a right or a command is missing, which an operator must set up. */
  boolean isSetup() {
    return this == SETUP || this == SETUP_IN_SCRIPT;
  }

  /** Returns the meaning of this failure of a call. */
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
    if (contains(text, SETUPS) || contains(text, TIMELESS)) {
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
