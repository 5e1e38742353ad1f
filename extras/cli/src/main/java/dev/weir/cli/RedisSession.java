package dev.weir.cli;

import dev.weir.redis.RedisConsole;
import dev.weir.redis.RedisConsole.Refused;
import dev.weir.redis.RedisLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisStatus.Primary;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.LimiterListener;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/** The connection to Redis of one command. No node counts it, however it ends. */
final class RedisSession implements AutoCloseable {

  private static final int TAG = 8;

  /** A node is alive that has sent a heartbeat within this time. */
  private static final long LIFETIME_MICROS = TimeUnit.SECONDS.toMicros(15);

  private final RedisOptions options;
  private final RedisLimitStore store;

  private RedisSession(RedisOptions options, RedisLimitStore store) {
    this.options = options;
    this.store = store;
  }

  /**
   * Connects.
   *
   * @throws Failure when Redis does not answer
   */
  static RedisSession open(RedisOptions options) {
    RedisLimitStore store = RedisLimitStore.connect(options, LimiterListener.NONE);
    store.awaitAnswer();
    if (store.isHealthy()) {
      return new RedisSession(options, store);
    }
    String why =
        store.status().primaries().stream()
            .flatMap(primary -> primary.trouble().stream())
            .findFirst()
            .orElse("no answer");
    store.close();
    throw Failure.notReached("Redis at " + options.location() + ": " + why);
  }

  RedisOptions options() {
    return options;
  }

  RedisLimitStore store() {
    return store;
  }

  List<Primary> primaries() {
    return store.status().primaries();
  }

  Deadline deadline() {
    return Deadline.after(options.deadline());
  }

  /** Returns the state of a counter, and what a request for one permit would get. */
  Verdict peek(Counter counter) {
    AcquireRequest one =
        new AcquireRequest(List.of(new Charge(counter, 1)), Mode.PEEK, OnOutage.DENY, deadline());
    try {
      return store.decide(one) instanceof Decision.Counted counted
          ? counted.binding()
          : notDecided();
    } catch (StoreUnavailableException gone) {
      throw Failure.notReached(gone);
    }
  }

  private static Verdict notDecided() {
    throw Failure.notReached("Redis has not decided");
  }

  /** Changes a counter, on all nodes. */
  void adjust(Adjustment adjustment) {
    try {
      store.adjust(adjustment, deadline());
    } catch (StoreUnavailableException gone) {
      throw Failure.notReached(
          gone.getMessage() + " (whether the change was made is not known: inspect shows it)");
    }
  }

  /** Returns how long the key of a counter lives, if there is one. */
  Optional<Duration> expiry(Counter counter) {
    for (Primary primary : primaries()) {
      try (RedisConsole console = console(primary.address())) {
        if (console.call("PTTL", options.key(counter)) instanceof Long millis && millis >= 0) {
          return Optional.of(Duration.ofMillis(millis));
        }
      } catch (Refused elsewhere) {
        // another primary has the key
      } catch (StoreUnavailableException gone) {
        throw Failure.notReached(gone);
      }
    }
    return Optional.empty();
  }

  /** Returns how many nodes of the application are alive. Empty if no primary says so. */
  OptionalInt liveNodes() throws StoreUnavailableException {
    for (Primary primary : primaries()) {
      try (RedisConsole console = console(primary.address())) {
        if (console.call("TIME") instanceof List<?> time) {
          long seconds = Long.parseLong(String.valueOf(time.get(0)));
          String since = Long.toString(seconds * 1_000_000 - LIFETIME_MICROS);
          return console.call("ZCOUNT", options.nodesKey(), since, "+inf") instanceof Long number
              ? OptionalInt.of(Math.toIntExact(number))
              : OptionalInt.empty();
        }
      } catch (Refused elsewhere) {
        // another primary has the list, or a right is missing
      }
    }
    return OptionalInt.empty();
  }

  RedisConsole console(String address) throws StoreUnavailableException {
    return RedisConsole.connect(options, address);
  }

  /** Returns the tag of a counter's subject: the start of the digest in its keys. */
  static String tag(RedisOptions options, Counter counter) {
    String key = options.key(counter);
    int start = key.indexOf('{') + 1;
    return "#" + key.substring(start, start + TAG);
  }

  @Override
  public void close() {
    store.close();
  }
}
