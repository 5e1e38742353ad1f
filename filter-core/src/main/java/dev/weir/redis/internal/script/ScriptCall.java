package dev.weir.redis.internal.script;

import dev.weir.store.Decision.Receipt.Grant;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * A call of a script, with its keys and arguments. The scripts have their arguments in this order:
 * the time; for each counter its letter, permits and numbers; the others; the word of the
 * operation. Immutable.
 *
 * @param time in microseconds since 1970; empty for the server's own
 * @param parts one for each counter, in the order of the keys
 * @param others the arguments after those of the counters
 * @param micros the approximate time for which it occupies Redis, in microseconds
 * @param unsettled what must be refunded later if the call does not settle it: the grants of a
 *     decision whose caller no longer waits for the reply, or those of a posted refund that was not
 *     run
 */
public record ScriptCall(
    Operation operation,
    List<String> keys,
    OptionalLong time,
    List<Part> parts,
    List<String> others,
    int micros,
    List<Grant> unsettled) {

  /**
   * The part of one counter.
   *
   * @param permits of the request or the grant; 0 for changes without permits
   */
  public record Part(EncodedLimit limit, long permits) {}

  /** The approximate cost of a call that decides over no limit. */
  private static final int OTHER_CALL_MICROS = 25;

  /** Returns a call without permits to refund, or with parts that are accounted for elsewhere. */
  public static ScriptCall of(
      Operation operation,
      List<String> keys,
      OptionalLong time,
      List<Part> parts,
      List<String> others) {
    return new ScriptCall(operation, keys, time, parts, others, OTHER_CALL_MICROS, List.of());
  }

  /**
   * Returns the same refund for posting, with the grants that must be refunded if it is not run.
   */
  public ScriptCall refunding(List<Grant> granted) {
    return new ScriptCall(operation, keys, time, parts, others, micros, List.copyOf(granted));
  }

  public Script script() {
    return operation.script(keys.size());
  }

  /** Returns the integers of the reply to this call, as {@link Operation#read} does. */
  public List<Long> read(@Nullable Object reply) {
    return operation.read(reply, keys.size());
  }

  /** Returns the command for a server that knows the script by its digest. */
  public CommandArguments byDigest() {
    Script script = script();
    return command(Command.EVALSHA, script, script.sha1());
  }

  /** Returns the command for a server that does not know the script. */
  public CommandArguments inFull() {
    Script script = script();
    return command(Command.EVAL, script, script.text());
  }

  private CommandArguments command(Command command, Script script, String scriptOrSha1) {
    CommandArguments all = new CommandArguments(command).add(scriptOrSha1);
    if (script.declaresKeys()) {
      all.add(keys.size());
      keys.forEach(all::key);
      addArguments(all);
    } else {
      all.add(0);
      addArguments(all);
      keys.forEach(all::add);
      all.add(keys.size());
    }
    return all;
  }

  private void addArguments(CommandArguments all) {
    if (time.isPresent()) {
      all.add(time.getAsLong());
    } else {
      all.add("");
    }
    for (Part part : parts) {
      all.add(part.limit().letter());
      all.add(part.permits());
      for (long number : part.limit().numbers()) {
        all.add(number);
      }
    }
    others.forEach(all::add);
    if (!operation.word().isEmpty()) {
      all.add(operation.word());
    }
  }
}
