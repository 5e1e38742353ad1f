package dev.weir.redis.internal.script;

import dev.weir.internal.BucketUnits;
import dev.weir.internal.Spans;
import dev.weir.limit.Limit;
import dev.weir.redis.internal.script.ScriptCall.Part;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Decision.Receipt.Grant;
import dev.weir.store.LimitStore.Lending;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * A writer of calls: scripts with their keys and arguments, as the scripts read them. Immutable.
 */
public final class Commands {

  private final Supplier<Instant> clock;
  private final boolean isDecidingClock;
  private final SecureRandom ids;

  /** How far the server's clock is ahead of ours, roughly. Only calendars need it. */
  private final long serverAheadMicros;

  private Commands(
      Supplier<Instant> clock, boolean isDecidingClock, SecureRandom ids, long serverAheadMicros) {
    this.clock = clock;
    this.isDecidingClock = isDecidingClock;
    this.ids = ids;
    this.serverAheadMicros = serverAheadMicros;
  }

  /** Returns commands for servers that decide by their own clock. Calendars need this node's. */
  public static Commands byServerTime(Supplier<Instant> clock) {
    return new Commands(clock, false, new SecureRandom(), 0);
  }

  /** Returns commands for servers that decide by this node's clock. */
  public static Commands byNodeTime(Supplier<Instant> clock) {
    return new Commands(clock, true, new SecureRandom(), 0);
  }

  /** Returns the time of a decision in microseconds since 1970; empty for the server's own. */
  public OptionalLong time() {
    return isDecidingClock
        ? OptionalLong.of(EncodedLimit.micros(clock.get()))
        : OptionalLong.empty();
  }

  /** Returns the same for a server whose clock has just shown this time, for its calendars. */
  public Commands asOf(long serverMicros) {
    long aheadMicros = serverMicros - EncodedLimit.micros(clock.get());
    return new Commands(clock, isDecidingClock, ids, aheadMicros);
  }

  /**
   * Returns the charge with the id that its permits would be held by. Ids are random. There are
   * 2^53 of them, so two live ids of one counter are never the same in practice.
   */
  public Grant requested(Charge charge) {
    boolean hasId = charge.counter().limit().algorithm().isHeld();
    return new Grant(charge, hasId ? ids.nextLong(1, BucketUnits.EXACT) : 0);
  }

  // ---------------------------------------------------------------- decisions

  /** Makes all charges of a group, or none. */
  public ScriptCall decide(Group group) {
    return call(Operation.DECIDE, group, List.of());
  }

  /** Charges all available permits of the only counter, up to the permits of its charge. */
  public ScriptCall decideUpTo(Group group) {
    return call(Operation.UP_TO, group, List.of());
  }

  /** Charges the only counter for a request that can wait up to this time. */
  public ScriptCall decideWithin(Group group, Duration maxWait) {
    return call(Operation.WITHIN, group, List.of(Long.toString(Spans.micros(maxWait))));
  }

  /** Charges the only counter, or blocks it for this time if no permits would remain. */
  public ScriptCall decideOrBlock(Group group, Duration block) {
    return call(Operation.OR_BLOCK, group, List.of(Long.toString(Spans.micros(block))));
  }

  /** Settles the last lease of the only counter, and leases up to the permits of its charge. */
  public ScriptCall lease(Group group, Lending.Settlement settled) {
    return call(Operation.LEASE, group, settlement(settled));
  }

  /** Returns the arguments for the settlement of a lease. */
  public static List<String> settlement(Lending.Settlement settled) {
    return List.of(
        Long.toString(settled.name()),
        Long.toString(settled.out()),
        Long.toString(settled.kept()),
        Long.toString(settled.back()));
  }

  /** Peeks at a group: returns its state and the decision that it would make, without a charge. */
  public ScriptCall peek(Group group) {
    return call(Operation.PEEK, group, List.of());
  }

  // ---------------------------------------------------------------- adjustments

  /** Refunds grants: nothing of them was spent. */
  public ScriptCall refund(Group granted) {
    return settle(Operation.REFUND, granted, 0);
  }

  /** Reconciles grants with the permits spent of each counter. */
  public ScriptCall reconcile(Group granted, long spent) {
    return settle(Operation.RECONCILE, granted, spent);
  }

  private ScriptCall settle(Operation operation, Group granted, long spent) {
    List<String> spentAndStamps = new ArrayList<>(List.of(Long.toString(spent)));
    spentAndStamps.addAll(stamps(granted));
    return call(operation, granted, spentAndStamps);
  }

  private static List<String> stamps(Group granted) {
    return granted.parts().stream().map(part -> Long.toString(part.stamp())).toList();
  }

  /** Starts the time to live of held permits again. */
  public ScriptCall renew(Group held) {
    return call(Operation.RENEW, held, stamps(held));
  }

  /** Makes a change to the counter of this key. */
  public ScriptCall adjust(Adjustment.OfCounter adjustment, String key) {
    Limit limit = adjustment.counter().limit();
    if (adjustment instanceof Adjustment.Reward reward) {
      return change(Operation.REWARD, key, limit, reward.permits(), List.of());
    }
    if (adjustment instanceof Adjustment.Block block) {
      String micros = Long.toString(Spans.micros(block.duration()));
      return change(Operation.BLOCK, key, limit, 0, List.of(micros));
    }
    Operation operation =
        adjustment instanceof Adjustment.Unblock ? Operation.UNBLOCK : Operation.RESET;
    return change(operation, key, limit, 0, List.of());
  }

  /** Ends a lease of the counter of this key. */
  public ScriptCall endLease(Lending.Ending ending, String key) {
    Limit limit = ending.counter().limit();
    return change(Operation.LEASE, key, limit, 0, settlement(ending.settled()));
  }

  private ScriptCall change(
      Operation operation, String key, Limit limit, long permits, List<String> others) {
    Part part = new Part(encode(limit, 0), permits);
    return ScriptCall.of(operation, List.of(key), time(), List.of(part), others);
  }

  // ---------------------------------------------------------------- arguments

  private ScriptCall call(Operation operation, Group group, List<String> others) {
    List<Part> parts = new ArrayList<>(group.parts().size());
    int micros = 0;
    for (Grant grant : group.parts()) {
      long permits = grant.charge().permits();
      EncodedLimit limit = encode(grant.charge().counter().limit(), grant.stamp());
      parts.add(new Part(limit, permits));
      micros += limit.costMicros(permits);
    }
    List<Grant> grants = operation.isCharging() ? List.copyOf(group.parts()) : List.of();
    return new ScriptCall(operation, group.keys(), time(), parts, others, micros, grants);
  }

  /** Returns the limit as the scripts read it, with the id by which permits are held, if any. */
  public EncodedLimit encode(Limit limit, long id) {
    return EncodedLimit.of(limit, id, () -> clock.get().plus(serverAheadMicros, ChronoUnit.MICROS));
  }
}
