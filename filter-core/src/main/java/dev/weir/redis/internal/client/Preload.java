package dev.weir.redis.internal.client;

import dev.weir.Deadline;
import dev.weir.redis.internal.script.Script;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * Loads the scripts that most requests need into a server, on the first connection after a start, a
 * failover or an outage: else the first call of each is sent twice. A server that refuses them
 * costs nothing but that: a script that it does not know is sent in full.
 */
public final class Preload {

  private static final List<Script> DECISIONS =
      List.of(
          Script.ONE_BUCKET,
          Script.ONE_WINDOW,
          Script.ONE_SLIDING,
          Script.ONE_CONCURRENCY,
          Script.ALL,
          Script.BATCH,
          Script.LEASE);

  private Preload() {}

  /** What is to be known. */
  public static List<Script> scripts() {
    return DECISIONS;
  }

  /** On a thread that serves no request. All at once, however far away the server is. */
  static void on(RedisConnection connection, Deadline due) {
    connection.callAll(DECISIONS.stream().map(Preload::load).toList(), due);
  }

  private static CommandArguments load(Script script) {
    return new CommandArguments(Command.SCRIPT).add("LOAD").add(script.text());
  }
}
