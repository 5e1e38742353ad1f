package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.LimiterListener;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Tells the other nodes, through Redis, that this one lives, and counts them. */
final class Heartbeat {

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration INTERVAL_UNHEARD = Duration.ofMillis(500);
  private static final Duration LIFETIME = INTERVAL.multipliedBy(3);
  private static final long LOOK_MILLIS = 5;

  private final CountDownLatch first = new CountDownLatch(1);
  private final NodeCount count = new NodeCount();
  private final String node;
  private final Topology topology;
  private final Questions questions;
  private final String key;
  private final Duration deadline;
  private final Background background;

  Heartbeat(
      RedisOptions options,
      Topology topology,
      RedisKeys keys,
      Questions questions,
      LimiterListener listener) {
    this.node = options.node().orElseGet(() -> UUID.randomUUID().toString());
    this.topology = topology;
    this.questions = questions;
    this.key = keys.reserved("nodes");
    this.deadline = options.deadline();
    this.background = new Background("weir-redis-heartbeat", listener);
    new Rounds(background, this::beat).start();
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
      List<Long> nodes = topology.call(topology.group(key), call(), Deadline.after(deadline));
      count.heard(Math.toIntExact(nodes.get(0)), System.nanoTime());
      first.countDown();
      next = INTERVAL;
    } catch (StoreUnavailableException laneTells) {
      // the lane counts and reports its failures; the count stands as it was
    }
    return next;
  }

  private ScriptCall call() {
    String lifetime = Long.toString(TimeUnit.MICROSECONDS.convert(LIFETIME));
    return new ScriptCall(
        Script.HEARTBEAT, List.of(key), List.of(questions.time(), node, lifetime));
  }
}
