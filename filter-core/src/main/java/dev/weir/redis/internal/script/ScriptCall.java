package dev.weir.redis.internal.script;

import dev.weir.Receipt.Grant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A script with its keys and arguments.
 *
 * @param micros the approximate time for which it occupies Redis, in microseconds
 * @param grants its charges if it is allowed, each with the id that its permits would be held by;
 *     they must be refunded if its caller does not wait for the reply; for a posted refund, the
 *     grants that it refunds
 */
public record ScriptCall(
    Script script, List<String> keys, List<String> arguments, int micros, List<Grant> grants) {

  /** The approximate cost of a call that decides over no limit. */
  private static final int USUAL_MICROS = 25;

  /** Creates a call without permits to refund, or with parts that are accounted for elsewhere. */
  public ScriptCall(Script script, List<String> keys, List<String> arguments) {
    this(script, keys, arguments, USUAL_MICROS, List.of());
  }

  /**
   * Returns the same refund for posting, with the grants that must be refunded if it is not run.
   */
  public ScriptCall refunding(List<Grant> granted) {
    return new ScriptCall(script, keys, arguments, micros, List.copyOf(granted));
  }

  /** Returns whether it is a charge, and not a refund. */
  public boolean isCharging() {
    return script.isCharging();
  }

  /**
   * Returns the integers of the reply to this call.
   *
   * @throws JedisException when the script makes no such reply
   */
  public List<Long> read(@Nullable Object reply) {
    return script.reply().read(reply, keys.size());
  }

  /** Returns the command for a server that knows the script by its digest. */
  public CommandArguments byName() {
    return command(Command.EVALSHA, script.sha1());
  }

  /** Returns the command for a server that does not know the script. */
  public CommandArguments inFull() {
    return command(Command.EVAL, script.text());
  }

  private CommandArguments command(Command command, String scriptOrSha1) {
    CommandArguments all = new CommandArguments(command).add(scriptOrSha1);
    if (script.declaresKeys()) {
      all.add(keys.size());
      keys.forEach(all::key);
      arguments.forEach(all::add);
    } else {
      all.add(0);
      arguments.forEach(all::add);
      keys.forEach(all::add);
      all.add(keys.size());
    }
    return all;
  }
}
