package dev.weir.cli;

import dev.weir.redis.RedisConsole;
import dev.weir.redis.RedisConsole.Refused;
import dev.weir.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Tries each command that the library needs, as a script or an application would call it. It writes
 * keys of its own alone, which it deletes, and which expire within seconds.
 */
final class Rights {

  private static final String LIFE_MILLIS = "10000";
  private static final String UNKNOWN_SCRIPT = "0".repeat(40);

  private final RedisConsole console;
  private final String text;
  private final String set;
  private final List<String> missing = new ArrayList<>();

  /**
   * @param key on the server of the console, which no other has
   */
  Rights(RedisConsole console, String key) {
    this.console = console;
    this.text = key;
    this.set = key + ":set";
  }

  /**
   * Returns the commands that the server refuses, in upper case.
   *
   * @param isCluster whether the cluster's commands are needed
   * @param isSentinel whether the role of a server is queried
   */
  List<String> missing(boolean isCluster, boolean isSentinel) throws StoreUnavailableException {
    attempt("PING");
    attempt("INFO", "server");
    attempt("EVAL", "return 1", "1", text);
    attempt("EVALSHA", UNKNOWN_SCRIPT, "1", text);
    attempt("TIME");
    attempt("SET", text, "1", "PX", LIFE_MILLIS);
    attempt("GET", text);
    attempt("MGET", text);
    attempt("PTTL", text);
    attempt("PEXPIRE", text, LIFE_MILLIS);
    attempt("ZADD", set, "1", "member");
    attempt("PEXPIRE", set, LIFE_MILLIS);
    attempt("ZCARD", set);
    attempt("ZSCORE", set, "member");
    attempt("ZCOUNT", set, "0", "1");
    attempt("ZRANGE", set, "0", "0");
    attempt("ZRANGEBYSCORE", set, "0", "1");
    attempt("ZREMRANGEBYSCORE", set, "2", "3");
    attempt("ZREM", set, "member");
    attempt("DEL", text, set);
    if (isCluster) {
      attempt("CLUSTER", "SLOTS");
      attempt("CLUSTER", "NODES");
      attempt("ASKING");
    }
    if (isSentinel) {
      attempt("ROLE");
    }
    return missing.stream().distinct().toList();
  }

  private void attempt(String command, String... arguments) throws StoreUnavailableException {
    try {
      Object unused = console.call(command, arguments);
    } catch (Refused refused) {
      if (isMissing(refused)) {
        missing.add(command.equals("CLUSTER") ? command + " " + arguments[0] : command);
      }
    }
  }

  private static boolean isMissing(Refused refused) {
    String reply = String.valueOf(refused.getMessage()).toLowerCase(Locale.ROOT);
    return reply.startsWith("noperm") || reply.contains("unknown command");
  }
}
