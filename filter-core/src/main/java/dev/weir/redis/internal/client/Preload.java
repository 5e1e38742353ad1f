package dev.weir.redis.internal.client;

import dev.weir.Deadline;
import dev.weir.redis.internal.script.Script;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * The scripts that most requests need. They are loaded into a server on the first connection after
 * a start, a failover or an outage. Otherwise the first call of each is sent twice. If a server
 * refuses the load, that is the only cost: an unknown script is sent in full.
 */
public final class Preload {

  private static final List<Script> SCRIPTS =
      List.of(Script.DECIDE_ONE, Script.DECIDE_ALL, Script.BATCH, Script.ADJUST_ONE);

  private Preload() {}

  /** Returns the scripts to load. */
  public static List<Script> scripts() {
    return SCRIPTS;
  }

  /**
   * Loads the scripts, on a thread that serves no request. It loads all at once, whatever the
   * distance of the server.
   */
  static void on(RedisConnection connection, Deadline due) {
    connection.callAll(SCRIPTS.stream().map(Preload::load).toList(), due);
  }

  private static CommandArguments load(Script script) {
    return new CommandArguments(Command.SCRIPT).add("LOAD").add(script.text());
  }
}
