package dev.weir.redis;

import dev.weir.Deadline;
import java.util.List;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * A script with its keys and arguments, sent once: by its name, and in full if Redis knows no such
 * name.
 */
record ScriptCall(Script script, List<String> keys, List<String> arguments) {

  /**
   * One trip, or two the first time that a server hears of the script.
   *
   * @return integers, as the script's {@link Reply} says
   * @throws JedisException when there is no such reply
   */
  List<Long> on(RedisConnection connection, Deadline deadline) {
    try {
      return call(Command.EVALSHA, script.sha1(), connection, deadline);
    } catch (JedisNoScriptException unknown) {
      return call(Command.EVAL, script.text(), connection, deadline);
    }
  }

  /** The same, where a slot is on its way to the server that is asked. */
  List<Long> asking(RedisConnection connection, Deadline deadline) {
    connection.call(new CommandArguments(Command.ASKING), deadline);
    try {
      return call(Command.EVALSHA, script.sha1(), connection, deadline);
    } catch (JedisNoScriptException unknown) {
      connection.call(new CommandArguments(Command.ASKING), deadline);
      return call(Command.EVAL, script.text(), connection, deadline);
    }
  }

  private List<Long> call(
      Command command, String scriptOrSha1, RedisConnection connection, Deadline deadline) {
    Object reply = connection.call(command(command, scriptOrSha1), deadline);
    return read(reply);
  }

  /**
   * @throws JedisException when the script makes no such reply
   */
  List<Long> read(Object reply) {
    return script.reply().read(reply, keys.size());
  }

  /** To be sent together with others. */
  CommandArguments byName() {
    return command(Command.EVALSHA, script.sha1());
  }

  /** The same for a server that does not know the script's name. */
  CommandArguments inFull() {
    return command(Command.EVAL, script.text());
  }

  private CommandArguments command(Command command, String scriptOrSha1) {
    CommandArguments all = new CommandArguments(command).add(scriptOrSha1).add(keys.size());
    for (String key : keys) {
      all.key(key);
    }
    for (String argument : arguments) {
      all.add(argument);
    }
    return all;
  }
}
