package dev.weir.redis;

import dev.weir.Amendment;
import dev.weir.BucketUnits;
import dev.weir.CalendarWindow;
import dev.weir.CalendarWindow.Bounds;
import dev.weir.Charge;
import dev.weir.Concurrency;
import dev.weir.FixedWindow;
import dev.weir.LeakyBucket;
import dev.weir.LeaseSettlement;
import dev.weir.Limit;
import dev.weir.Receipt.Grant;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Writes limits, times and changes as the scripts read them. */
final class Questions {

  private final InstantSource clock;
  private final RedisClock decides;
  private final LongSupplier ids;

  /** By how much the server's clock is ahead, as last seen; only calendars need it, and roughly. */
  private volatile long serverAheadMicros;

  Questions(RedisClock decides, InstantSource clock) {
    this(decides, clock, randomIds());
  }

  /**
   * @param ids name holds, each from 1 and below 2^53; no two on all nodes may be the same
   */
  Questions(RedisClock decides, InstantSource clock, LongSupplier ids) {
    this.decides = decides;
    this.clock = clock;
    this.ids = ids;
  }

  /** Of 2^53 numbers, two that are live in one counter are never the same in practice. */
  private static LongSupplier randomIds() {
    SecureRandom random = new SecureRandom();
    return () -> random.nextLong(1, BucketUnits.EXACT);
  }

  /** The time to decide by; empty for the server's. */
  String time() {
    return decides == RedisClock.REDIS ? "" : Long.toString(micros(clock.instant()));
  }

  /** The server's clock has shown this: calendars are computed for it from now on. */
  void serverTime(long micros) {
    serverAheadMicros = micros - micros(clock.instant());
  }

  /** What is to be asked for: with an id of its own, where it would be held. */
  Grant asking(Charge charge) {
    boolean holds = charge.counter().limit() instanceof Concurrency;
    return new Grant(charge, holds ? ids.getAsLong() : 0);
  }

  /** Adds the limit's letter, the permits, and the limit's numbers. */
  void add(Limit limit, long permits, List<String> arguments) {
    add(limit, permits, ids, arguments);
  }

  /** The same for what is held, if it is granted, by an id that is known. */
  void add(Limit limit, long permits, long id, List<String> arguments) {
    add(limit, permits, () -> id, arguments);
  }

  private void add(Limit limit, long permits, LongSupplier id, List<String> arguments) {
    arguments.add(Script.letter(limit));
    arguments.add(Long.toString(permits));
    addNumbers(limit, id, arguments);
  }

  /** The same for a request that can wait. */
  void addPatient(Limit limit, long permits, long id, Duration patience, List<String> arguments) {
    arguments.add(Script.letter(limit));
    arguments.add(Long.toString(permits));
    arguments.add(Long.toString(micros(patience)));
    addNumbers(limit, () -> id, arguments);
  }

  /** The same for permits that are to be lent, with the lease to settle. */
  void addLease(Limit limit, long wanted, LeaseSettlement settled, List<String> arguments) {
    arguments.add(Script.letter(limit));
    arguments.add(Long.toString(wanted));
    arguments.add(Long.toString(settled.name()));
    arguments.add(Long.toString(settled.out()));
    arguments.add(Long.toString(settled.kept()));
    arguments.add(Long.toString(settled.back()));
    addNumbers(limit, ids, arguments);
  }

  /** The same for a give-back, which names what it gives back to. */
  void addStamped(Limit limit, long permits, long stamp, List<String> arguments) {
    arguments.add(Script.letter(limit));
    arguments.add(Long.toString(permits));
    arguments.add(Long.toString(stamp));
    addNumbers(limit, () -> stamp, arguments);
  }

  /** The same for a grant of which so much was spent. */
  void addSpent(Grant grant, long spent, List<String> arguments) {
    Limit limit = grant.charge().counter().limit();
    arguments.add(Script.letter(limit));
    arguments.add(Long.toString(grant.charge().permits()));
    arguments.add(Long.toString(spent));
    arguments.add(Long.toString(grant.stamp()));
    addNumbers(limit, grant::stamp, arguments);
  }

  /** The call that makes a change to the counter of this key. */
  ScriptCall amending(Amendment.OfCounter amendment, String key) {
    List<String> arguments = new ArrayList<>();
    if (amendment instanceof Amendment.Reward reward) {
      arguments.add(time());
      add(reward.counter().limit(), reward.permits(), arguments);
      return new ScriptCall(Script.REWARD, List.of(key), arguments);
    }
    if (amendment instanceof Amendment.Block block) {
      arguments.add(time());
      arguments.add(Long.toString(micros(block.duration())));
      arguments.add(Script.letter(block.counter().limit()));
      return new ScriptCall(Script.BLOCK, List.of(key), arguments);
    }
    arguments.add(time());
    if (amendment instanceof Amendment.EndLease end) {
      addLease(end.counter().limit(), 0, end.settled(), arguments);
      return new ScriptCall(Script.LEASE, List.of(key), arguments);
    }
    return new ScriptCall(Script.RESET, List.of(key), arguments);
  }

  private void addNumbers(Limit limit, LongSupplier id, List<String> arguments) {
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
      arguments.add(Long.toString(micros(concurrency.lease())));
      arguments.add(Long.toString(id.getAsLong()));
    }
  }

  private static void addBucket(BucketUnits units, long capacity, List<String> arguments) {
    arguments.add(Long.toString(units.p()));
    arguments.add(Long.toString(units.q()));
    arguments.add(Long.toString(units.tickMicros()));
    arguments.add(Long.toString(capacity));
  }

  /**
   * The previous, the current and the next window, by the clock that decides as far as we know it.
   */
  private void addBounds(CalendarWindow window, List<String> arguments) {
    Bounds current = window.at(clock.instant().plus(serverAheadMicros, ChronoUnit.MICROS));
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
