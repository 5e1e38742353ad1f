package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.LimiterListener;
import dev.weir.StoreUnavailableException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells the other nodes, through Redis, that this one lives, and counts them. */
final class Heartbeat {

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration INTERVAL_UNHEARD = Duration.ofMillis(500);
  private static final Duration LIFETIME = INTERVAL.multipliedBy(3);
  private static final int ID_BYTES = 8;
  private static final long LOOK_MILLIS = 5;

  private final String id = randomId();
  private final CountDownLatch first = new CountDownLatch(1);
  private final NodeCount count = new NodeCount();
  private final Topology topology;
  private final Questions questions;
  private final String key;
  private final Duration deadline;
  private final Background background;

  Heartbeat(
      Topology topology,
      RedisKeys keys,
      Questions questions,
      Duration deadline,
      LimiterListener listener) {
    this.topology = topology;
    this.questions = questions;
    this.key = keys.reserved("nodes");
    this.deadline = deadline;
    this.background = new Background("weir-redis-heartbeat", listener);
    background.repeat(this::beat);
  }

  NodeCount count() {
    return count;
  }

  /** Waits until Redis has answered a beat, or is known to be out; returns whether it answered. */
  boolean awaitFirst(Deadline deadline) {
    try {
      while (!first.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        if (deadline.hasPassed() || !topology.isHealthy()) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void close() {
    background.close();
  }

  void join(long millis) throws InterruptedException {
    background.join(millis);
  }

  private Duration beat() {
    Duration next = INTERVAL_UNHEARD;
    try {
      Object reply = topology.call(topology.group(key), call(), Deadline.after(deadline));
      if (reply instanceof Long nodes) {
        count.heard(Math.toIntExact(nodes), System.nanoTime());
        first.countDown();
        next = INTERVAL;
      }
    } catch (StoreUnavailableException laneTells) {
      // the lane counts and reports its failures; the count stands as it was
    }
    return next;
  }

  private ScriptCall call() {
    String lifetime = Long.toString(TimeUnit.MICROSECONDS.convert(LIFETIME));
    return new ScriptCall(Script.HEARTBEAT, List.of(key), List.of(questions.time(), id, lifetime));
  }

  private static String randomId() {
    byte[] bytes = new byte[ID_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
