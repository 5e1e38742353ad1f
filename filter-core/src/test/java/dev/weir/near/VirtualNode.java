package dev.weir.near;

import dev.weir.internal.store.Scheduler;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.Source;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.SplittableRandom;

/** A node with virtual time, assembled as configuration assembles one. */
final class VirtualNode {

  private static final Duration DENY_CACHE = Duration.ofSeconds(1);

  /** Runs tasks in virtual time, as long as the node lives. */
  private final class NodeScheduler implements Scheduler {

    @Override
    public Pending in(Duration delay, Runnable task) {
      world.time().at(world.time().micros() + delay.toNanos() / 1_000, () -> runAlive(task));
      return Pending.NONE;
    }

    private void runAlive(Runnable task) {
      if (!isDead) {
        task.run();
      }
    }

    @Override
    public void close() {}
  }

  private final World world;
  private final Hands hands = new Hands();
  private final VirtualClient client;
  private final LimitStore store;
  private boolean isDead;

  VirtualNode(World world, SplittableRandom random) {
    this.world = world;
    client = new VirtualClient(world, hands, random);
    store =
        world.near()
            ? new TokenLeaseStore(
                DenyCache.of(client, DENY_CACHE, world.time()),
                counter -> true,
                world.time(),
                new NodeScheduler())
            : client;
  }

  void request(Account account) {
    if (isDead) {
      return; // a dead node receives no request
    }
    account.requested(world.time().micros());
    try {
      Decision decision = store.decide(account.request());
      if (decision.source() == Source.LEASE) {
        hands.spent(account);
        account.admitted(world.time().micros());
      }
      if (decision.source() != Source.REDIS) {
        account.inProcess++;
      }
      world.totals().decided(decision.source());
    } catch (StoreUnavailableException gone) {
      world.totals().unanswered++;
    }
  }

  /**
   * As by {@code kill -9}. What is in hand is lost, and that is no more than Redis believes to be
   * out, which is no more than a quarter of the burst.
   */
  void die() {
    isDead = true;
    client.die();
    long now = world.time().micros();
    hands
        .unspent(now + Latency.LEAST_MICROS) // Redis may be ahead by that
        .forEach(
            (account, unspent) -> {
              long out = world.redis().out(account.counter(), now);
              if (unspent > out || out > account.burst() / 4) {
                throw new AssertionError(
                    account.counter() + ": " + unspent + " in hand, " + out + " out");
              }
              account.lostInCrashes += unspent;
            });
  }
}
