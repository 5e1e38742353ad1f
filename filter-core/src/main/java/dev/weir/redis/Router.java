package dev.weir.redis;

import dev.weir.redis.internal.client.ErrorKind;
import dev.weir.redis.internal.client.Host;
import dev.weir.redis.internal.client.NotSentException;
import dev.weir.redis.internal.client.Sharding;
import dev.weir.redis.internal.script.Commands;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Group;
import dev.weir.redis.internal.script.RedisKeys;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Receipt.Grant;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The router of calls. It groups the charges that one call can decide or change, and sends each
 * call to the primary of its keys.
 */
final class Router implements Refunds.Sender {

  private final RedisKeys keys;
  private final Commands commands;
  private final Topology topology;
  private final Sharding sharding;

  /** Commands for each primary with a clock that differs from this node's. */
  private final Map<Host, Commands> byPrimary = new ConcurrentHashMap<>();

  Router(RedisKeys keys, Commands commands, Topology topology, Sharding sharding) {
    this.keys = keys;
    this.commands = commands;
    this.topology = topology;
    this.sharding = sharding;
  }

  /** Returns the groups of these charges, each with the id that its permits would be held by. */
  List<Group> groups(List<Charge> charges) {
    List<Grant> parts = new ArrayList<>(charges.size());
    for (Charge charge : charges) {
      parts.add(commands.requested(charge));
    }
    return grouped(parts);
  }

  /** Returns these grants, or charges as grants, in groups that one call can decide or change. */
  List<Group> grouped(List<Grant> grants) {
    List<Group> groups = Group.of(grants, keys, topology::slot);
    return switch (sharding.scope()) {
      case ALL_KEYS -> groups;
      case ONE_TAG -> groups.stream().flatMap(group -> group.ofOneTag().stream()).toList();
      case ONE_KEY -> groups.stream().flatMap(group -> group.ofOneKey().stream()).toList();
    };
  }

  /** Fails if some of these groups cannot be decided, before any of them is charged. */
  void requireHealthy(List<Group> groups) throws StoreUnavailableException {
    for (Group group : groups) {
      topology.requireHealthy(group.slot());
    }
  }

  /** Makes a change to a counter. */
  void adjust(Adjustment.OfCounter adjustment, Deadline due) throws StoreUnavailableException {
    Group alone = groups(List.of(new Charge(adjustment.counter(), 0))).get(0);
    List<Long> unused = call(alone, (to, group) -> to.adjust(adjustment, group.keys().get(0)), due);
  }

  /**
   * Ends a lease. It can find the server's time outside of the calendar's bounds, and is not sent
   * again then. Either the window of the lease is over, and nothing can be returned to it. Or the
   * server's clock has moved back by more than two windows, and the rest of the lease counts as
   * spent.
   */
  void endLease(Lending.Ending ending, Deadline due) throws StoreUnavailableException {
    String key = keys.key(ending.counter());
    int slot = topology.slot(key);
    List<Long> unused = topology.call(slot, commands(slot).endLease(ending, key), due);
  }

  /**
   * Calls a script for a group. If the server's time is outside of the calendar's bounds that were
   * sent, Redis does nothing and returns its time. The call is then written again for that time.
   */
  List<Long> call(Group group, BiFunction<Commands, Group, ScriptCall> call, Deadline due)
      throws StoreUnavailableException {
    int slot = group.slot();
    List<Long> reply = topology.call(slot, call.apply(commands(slot), group), due);
    if (DecisionReply.isOutside(reply)) {
      Commands asReplied = commands.asOf(reply.get(1));
      @Nullable Host primary = topology.primary(slot);
      if (primary != null) {
        byPrimary.put(primary, asReplied);
      }
      reply = topology.call(slot, call.apply(asReplied, group), due);
      if (DecisionReply.isOutside(reply)) {
        String why = "its clock moves faster than it can be asked";
        throw new StoreUnavailableException(
            "redis: " + why,
            Kind.FAILED,
            Duration.ofSeconds(1),
            new NotSentException(why, Kind.FAILED));
      }
    }
    return reply;
  }

  @Override
  public long send(Grant granted, OptionalLong spent, Deadline due)
      throws StoreUnavailableException {
    BiFunction<Commands, Group, ScriptCall> call =
        spent.isPresent()
            ? (to, group) -> to.reconcile(group, spent.getAsLong())
            : Commands::refund;
    return call(grouped(List.of(granted)).get(0), call, due).get(0);
  }

  /** Posts a refund. Returns at once, whatever time is left to the request. */
  void postRefund(Group granted) {
    ScriptCall refund = commands(granted.slot()).refund(granted);
    topology.post(granted.slot(), refund.refunding(granted.parts()));
  }

  /**
   * Returns whether a call for several keys has failed because their slot is moving. Some keys have
   * arrived at the new primary, and others have not. The call has changed nothing. Each key can be
   * requested on its own.
   */
  static boolean isSplit(Group group, StoreUnavailableException failure) {
    return group.parts().size() > 1
        && failure.getCause() != null
        && ErrorKind.of(failure.getCause()) == ErrorKind.PASSING;
  }

  /** Returns the commands for the clock of the primary that has this slot. */
  private Commands commands(int slot) {
    if (byPrimary.isEmpty()) {
      return commands;
    }
    @Nullable Host primary = topology.primary(slot);
    return primary == null ? commands : byPrimary.getOrDefault(primary, commands);
  }
}
