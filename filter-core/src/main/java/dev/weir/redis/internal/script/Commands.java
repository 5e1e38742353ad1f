package dev.weir.redis.internal.script;

import dev.weir.Adjustment;
import dev.weir.Charge;
import dev.weir.Receipt.Grant;
import dev.weir.internal.LeaseSettlement;
import dev.weir.limit.BucketUnits;
import dev.weir.limit.CalendarWindow;
import dev.weir.limit.CalendarWindow.Bounds;
import dev.weir.limit.Concurrency;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.LeakyBucket;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A writer of commands: scripts with their keys and arguments, as the scripts read them. Immutable.
 */
public final class Commands {

  /** Additional arguments of one counter, which only some scripts take. */
  private interface Extra {
    List<Long> of(Grant part);
  }

  private static final Extra NONE = part -> List.of();
  private static final Extra STAMP = part -> List.of(part.stamp());

  private final Supplier<Instant> clock;
  private final Optional<Supplier<Instant>> decidingClock;
  private final LongSupplier ids;

  /**
   * The time by which the server's clock is ahead of ours. Only calendars need it, and only
   * roughly.
   */
  private final long serverAheadMicros;

  private Commands(
      Supplier<Instant> clock,
      Optional<Supplier<Instant>> decidingClock,
      LongSupplier ids,
      long serverAheadMicros) {
    this.clock = clock;
    this.decidingClock = decidingClock;
    this.ids = ids;
    this.serverAheadMicros = serverAheadMicros;
  }

  /**
   * Returns commands for servers that decide by their own clock.
   *
   * @param clock of this node, for a rough computation of calendars
   */
  public static Commands byServerTime(Supplier<Instant> clock) {
    return new Commands(clock, Optional.empty(), randomIds(), 0);
  }

  /** Returns commands for servers that decide by this node's clock. */
  public static Commands byNodeTime(Supplier<Instant> clock) {
    return new Commands(clock, Optional.of(clock), randomIds(), 0);
  }

  /**
   * Returns the same commands with another source of ids for held permits.
   *
   * @param newIds each from 1 and below 2^53; no two on all nodes may be the same
   */
  public Commands withIds(LongSupplier newIds) {
    return new Commands(clock, decidingClock, newIds, serverAheadMicros);
  }

  /**
   * Returns a source of random ids. There are 2^53 of them, so two live ids of one counter are
   * never the same in practice.
   */
  private static LongSupplier randomIds() {
    SecureRandom random = new SecureRandom();
    return () -> random.nextLong(1, BucketUnits.EXACT);
  }

  /** Returns the time of a decision; empty for the server's own. */
  public String time() {
    return decidingClock.map(node -> Long.toString(micros(node.get()))).orElse("");
  }

  /**
   * Returns the same commands for a server with a clock that has just shown this time. Calendars
   * are computed from it.
   */
  public Commands asOf(long serverMicros) {
    return new Commands(clock, decidingClock, ids, serverMicros - micros(clock.get()));
  }

  /** Returns the charge with the id that its permits would be held by. */
  public Grant asking(Charge charge) {
    return new Grant(charge, newId(charge.counter().limit()));
  }

  private long newId(Limit limit) {
    return limit instanceof Concurrency ? ids.getAsLong() : 0;
  }

  // ---------------------------------------------------------------- decisions

  /** Makes all charges of a group, or none. */
  public ScriptCall decide(Group group) {
    boolean isOne = group.parts().size() == 1;
    return call(isOne ? Script.one(group.first().counter().limit()) : Script.ALL, group, NONE);
  }

  /** Charges all available permits of the only counter, up to the permits of its charge. */
  public ScriptCall decideUpTo(Group group) {
    return call(Script.UP_TO, group, NONE);
  }

  /** Charges the only counter for a request that can wait up to this time. */
  public ScriptCall decideWithin(Group group, Duration maxWait) {
    return call(Script.WITHIN, group, part -> List.of(micros(maxWait)));
  }

  /** Settles the last lease of the only counter, and leases up to the permits of its charge. */
  public ScriptCall lease(Group group, LeaseSettlement settled) {
    return call(Script.LEASE, group, part -> settlement(settled));
  }

  /** Returns the arguments for the settlement of a lease. */
  public static List<Long> settlement(LeaseSettlement settled) {
    return List.of(settled.name(), settled.out(), settled.kept(), settled.back());
  }

  /** Peeks at a group: returns its state and the decision that it would make, without a charge. */
  public ScriptCall peek(Group group) {
    return call(Script.PEEK, group, NONE);
  }

  // ---------------------------------------------------------------- adjustments

  /** Refunds grants. */
  public ScriptCall refund(Group granted) {
    return call(Script.REFUND, granted, STAMP);
  }

  /** Reconciles grants with the permits spent of each counter. */
  public ScriptCall reconcile(Group granted, long spent) {
    return call(Script.RECONCILE, granted, part -> List.of(spent, part.stamp()));
  }

  /** Starts the time to live of held permits again. */
  public ScriptCall renew(Group held) {
    return call(Script.RENEW, held, STAMP);
  }

  /** Makes a change to the counter of this key. */
  public ScriptCall adjust(Adjustment.OfCounter adjustment, String key) {
    List<String> arguments = new ArrayList<>();
    arguments.add(time());
    if (adjustment instanceof Adjustment.Reward reward) {
      add(reward.counter().limit(), reward.permits(), arguments);
      return new ScriptCall(Script.REWARD, List.of(key), arguments);
    }
    if (adjustment instanceof Adjustment.Block block) {
      arguments.add(Long.toString(micros(block.duration())));
      arguments.add(Script.letter(block.counter().limit()));
      return new ScriptCall(Script.BLOCK, List.of(key), arguments);
    }
    if (adjustment instanceof Adjustment.EndLease end) {
      add(end.counter().limit(), 0, 0, settlement(end.settled()), arguments);
      return new ScriptCall(Script.LEASE, List.of(key), arguments);
    }
    return new ScriptCall(Script.RESET, List.of(key), arguments);
  }

  // ---------------------------------------------------------------- arguments

  private ScriptCall call(Script script, Group group, Extra extra) {
    List<String> arguments = new ArrayList<>(1 + 8 * group.parts().size());
    arguments.add(time());
    int micros = 0;
    for (Grant part : group.parts()) {
      Limit limit = part.charge().counter().limit();
      long permits = part.charge().permits();
      add(limit, permits, part.stamp(), extra.of(part), arguments);
      micros += Arithmetic.micros(limit, permits);
    }
    List<Grant> grants = script.isCharging() ? List.copyOf(group.parts()) : List.of();
    return new ScriptCall(script, group.keys(), arguments, micros, grants);
  }

  /** Adds the limit's letter, the permits, and the limit's numbers. */
  public void add(Limit limit, long permits, List<String> arguments) {
    add(limit, permits, newId(limit), List.of(), arguments);
  }

  /**
   * Adds the limit's letter, the permits, the additional arguments of some scripts, and the limit's
   * numbers.
   *
   * @param id by which the permits are held, if the limit has held permits
   */
  public void add(Limit limit, long permits, long id, List<Long> extra, List<String> arguments) {
    arguments.add(Script.letter(limit));
    arguments.add(Long.toString(permits));
    for (long each : extra) {
      arguments.add(Long.toString(each));
    }
    addNumbers(limit, id, arguments);
  }

  private void addNumbers(Limit limit, long id, List<String> arguments) {
    if (limit instanceof TokenBucket bucket) {
      addBucket(bucket.units(), bucket.capacity(), arguments);
    } else if (limit instanceof LeakyBucket leaky) {
      addBucket(leaky.units(), leaky.capacity(), arguments);
    } else if (limit instanceof FixedWindow fixed) {
      arguments.add(Long.toString(fixed.quota()));
      arguments.add(Long.toString(micros(fixed.window().longest())));
      if (fixed.window() instanceof CalendarWindow calendar) {
        addBounds(calendar, arguments);
      }
    } else if (limit instanceof SlidingWindow sliding) {
      arguments.add(Long.toString(sliding.quota()));
      arguments.add(Long.toString(micros(sliding.subWindow())));
      arguments.add(Long.toString(sliding.subWindows()));
    } else if (limit instanceof Concurrency concurrency) {
      arguments.add(Long.toString(concurrency.permits()));
      arguments.add(Long.toString(micros(concurrency.ttl())));
      arguments.add(Long.toString(id));
    }
  }

  private static void addBucket(BucketUnits units, long capacity, List<String> arguments) {
    arguments.add(Long.toString(units.p()));
    arguments.add(Long.toString(units.q()));
    arguments.add(Long.toString(units.tickMicros()));
    arguments.add(Long.toString(capacity));
  }

  /**
   * Adds the bounds of the previous, the current and the next window. They follow the clock that
   * decides, as far as it is known.
   */
  private void addBounds(CalendarWindow window, List<String> arguments) {
    Bounds current = window.at(clock.get().plus(serverAheadMicros, ChronoUnit.MICROS));
    Bounds previous = window.at(current.start().minusNanos(1));
    Bounds next = window.at(current.end());
    for (Instant bound : List.of(previous.start(), current.start(), current.end(), next.end())) {
      arguments.add(Long.toString(micros(bound)));
    }
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  private static long micros(Duration duration) {
    return TimeUnit.MICROSECONDS.convert(duration);
  }
}
