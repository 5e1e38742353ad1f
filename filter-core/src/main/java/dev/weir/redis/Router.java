package dev.weir.redis;

import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Receipt.Grant;
import dev.weir.StoreUnavailableException;
import dev.weir.StoreUnavailableException.Kind;
import dev.weir.redis.internal.client.ErrorKind;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.NotSentException;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Group;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds what one call can decide or change, and sends each call to the primary of its keys. */
final class Router {

  private final RedisKeys keys;
  private final Commands commands;
  private final Topology topology;

  /** Of each primary whose clock was found to differ: how it is asked. */
  private final Map<Host, Commands> byPrimary = new ConcurrentHashMap<>();

  Router(RedisKeys keys, Commands commands, Topology topology) {
    this.keys = keys;
    this.commands = commands;
    this.topology = topology;
  }

  /** What is asked for, each part with the id that it would be held by. */
  List<Group> groups(List<Charge> charges) {
    List<Grant> parts = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      parts.add(commands.asking(charge));
    }
    return granted(parts);
  }

  /** What was granted, by what one call can change. */
  List<Group> granted(List<Grant> grants) {
    return Group.of(grants, keys, topology::slot);
  }

  String key(Counter counter) {
    return keys.key(counter);
  }

  /**
   * Refuses what cannot be decided as a whole, before any of it is charged.
   *
   * @throws StoreUnavailableException when the primary of one of these groups is known to be out
   */
  void requireHealthy(List<Group> groups) throws StoreUnavailableException {
    for (Group group : groups) {
      topology.requireHealthy(group.slot());
    }
  }

  /** Calls a script on the primary of this key. */
  List<Long> call(String key, Function<Commands, ScriptCall> call, Deadline due)
      throws StoreUnavailableException {
    int slot = topology.slot(key);
    return topology.call(slot, call.apply(commands(slot)), due);
  }

  /**
   * Calls a script for a group. Where the server's time is outside of the calendar's bounds that
   * were sent, nothing has happened. The call is then written anew, for the time that was replied.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline
   */
  List<Long> call(Group group, Function<Commands, ScriptCall> call, Deadline due)
      throws StoreUnavailableException {
    List<Long> reply = topology.call(group.slot(), call.apply(commands(group.slot())), due);
    if (DecisionReply.isOutside(reply)) {
      Commands asReplied = commands.asOf(reply.get(1));
      remember(group.slot(), asReplied);
      reply = topology.call(group.slot(), call.apply(asReplied), due);
    }
    if (DecisionReply.isOutside(reply)) {
      String why = "its clock moves faster than it can be asked";
      throw new StoreUnavailableException(
          "redis: " + why,
          Kind.FAILED,
          Duration.ofSeconds(1),
          new NotSentException(why, Kind.FAILED));
    }
    return reply;
  }

  /** Posts a refund: returns at once, whatever time is left to the request. */
  void post(Group granted) {
    ScriptCall refund = commands(granted.slot()).refund(granted);
    topology.post(granted.slot(), refund.refunding(granted.parts()));
  }

  /**
   * Whether a call for several keys has failed since their slot is moving: some have arrived, and
   * others have not. It has changed nothing. Each key can be asked for alone.
   */
  static boolean isSplit(Group group, StoreUnavailableException failure) {
    return group.parts().size() > 1
        && failure.getCause() != null
        && ErrorKind.of(failure.getCause()) == ErrorKind.PASSING;
  }

  /** Commands by the clock of the primary that has this slot. */
  private Commands commands(int slot) {
    if (byPrimary.isEmpty()) {
      return commands;
    }
    @Nullable Host primary = topology.primary(slot);
    return primary == null ? commands : byPrimary.getOrDefault(primary, commands);
  }

  private void remember(int slot, Commands asReplied) {
    @Nullable Host primary = topology.primary(slot);
    if (primary != null) {
      byPrimary.put(primary, asReplied);
    }
  }
}
