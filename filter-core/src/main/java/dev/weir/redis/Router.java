package dev.weir.redis;

import dev.weir.Charge;
import dev.weir.Counter;
import dev.weir.Deadline;
import dev.weir.Receipt.Grant;
import dev.weir.StoreUnavailableException;
import dev.weir.StoreUnavailableException.Kind;
import dev.weir.redis.internal.client.NotSentException;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Group;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Finds what one call can decide or change, and sends each call to the primary of its keys. */
final class Router {

  private final RedisKeys keys;
  private final Commands commands;
  private final Topology topology;

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

  /** Calls the script on the primary of this key. */
  List<Long> call(String key, ScriptCall call, Deadline due) throws StoreUnavailableException {
    return topology.call(topology.slot(key), call, due);
  }

  /**
   * Calls a script for a group. Where the server's time is outside of the calendar's bounds that
   * were sent, nothing has happened, and the call is written anew.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline
   */
  List<Long> call(Group group, Supplier<ScriptCall> command, Deadline due)
      throws StoreUnavailableException {
    List<Long> reply = topology.call(group.slot(), command.get(), due);
    if (DecisionReply.isOutside(reply)) {
      commands.serverTime(reply.get(1));
      reply = topology.call(group.slot(), command.get(), due);
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
}
