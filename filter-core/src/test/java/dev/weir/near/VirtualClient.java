package dev.weir.near;

import dev.weir.redis.VirtualRedis;
import dev.weir.redis.VirtualRedis.Step;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One node's client in virtual time. Decisions that come while some batches are in flight leave
 * together as soon as one of them is back, unless each is to go alone. Leases go alone.
 */
final class VirtualClient implements LimitStore {

  private static final long DEADLINE_MICROS = 100_000;

  /** A call that waits for its reply. */
  private static final class PendingCall {

    private final AcquireRequest request;
    private final VirtualTime.Pause wait;
    private @Nullable Decision reply;

    PendingCall(AcquireRequest request, VirtualTime.Pause wait) {
      this.request = request;
      this.wait = wait;
    }
  }

  private final World world;
  private final VirtualTime time;
  private final Hands hands;
  private final SplittableRandom random;
  private final Queue<PendingCall> waiting = new ArrayDeque<>();
  private int batches;
  private boolean isDead;

  VirtualClient(World world, Hands hands, SplittableRandom random) {
    this.world = world;
    this.time = world.time();
    this.hands = hands;
    this.random = random;
  }

  /** No call is answered any more, and none is sent. */
  void die() {
    isDead = true;
  }

  @Override
  public Decision decide(AcquireRequest request) throws StoreUnavailableException {
    requireAlive();
    Account account = world.ledger().of(request);
    PendingCall call = new PendingCall(request, time.new Pause());
    if (request.mode() instanceof Mode.Leased leased) {
      hands.settled(account, leased);
      leave(List.of(call), false);
    } else if (world.sharesTrips()) {
      waiting.add(call);
      begin();
    } else {
      leave(List.of(call), false);
    }
    call.wait.await();
    return answer(call, account);
  }

  private Decision answer(PendingCall call, Account account) throws StoreUnavailableException {
    @Nullable Decision reply = call.reply;
    if (call.request.mode() instanceof Mode.Leased) {
      if (isDead && reply instanceof Decision.Lent lent) {
        account.lostInCrashes += lent.permits();
      } else if (reply instanceof Decision.Lent lent) {
        hands.lent(account, lent);
      } else {
        hands.lost(account);
      }
    }
    requireAlive();
    if (reply == null) {
      throw gone("no answer");
    }
    return reply;
  }

  private void begin() {
    while (!waiting.isEmpty() && batches < VirtualRedis.MOST_BATCHES) {
      List<PendingCall> batch = new ArrayList<>();
      while (!waiting.isEmpty() && batch.size() < VirtualRedis.MOST_TOGETHER) {
        batch.add(waiting.remove());
      }
      leave(batch, true);
    }
  }

  private void leave(List<PendingCall> batch, boolean isShared) {
    world.totals().batches++;
    Latency latency = Latency.of(random);
    long at = time.micros() + latency.thereMicros();
    Post.Parcel parcel =
        world
            .post()
            .send(batch.stream().<Step>map(one -> new Step.Decide(at, one.request)).toList());
    time.at(at, () -> arrive(batch, parcel, latency));
    if (isShared) {
      long back = latency.isLost() ? DEADLINE_MICROS : latency.thereMicros() + latency.backMicros();
      batches++;
      time.at(time.micros() + back, this::ended);
    }
  }

  private void ended() {
    batches--;
    begin();
  }

  private void arrive(List<PendingCall> batch, Post.Parcel parcel, Latency latency) {
    List<Decision> replies = world.post().arrived(parcel);
    long back = latency.isLost() ? DEADLINE_MICROS : latency.backMicros();
    for (int i = 0; i < batch.size(); i++) {
      world.ledger().decided(batch.get(i).request, replies.get(i), time.micros());
      batch.get(i).reply = latency.isLost() ? null : replies.get(i);
      batch.get(i).wait.endAt(time.micros() + back);
    }
  }

  @Override
  public boolean adjust(Adjustment adjustment, Deadline deadline) throws StoreUnavailableException {
    requireAlive();
    if (!(adjustment instanceof Adjustment.EndLease end)) {
      throw new IllegalArgumentException("adjustment: " + adjustment + " (expected: an EndLease)");
    }
    world.totals().batches++;
    Account account = world.ledger().of(end.counter());
    Mode.Leased settled = end.settled();
    hands.settled(account, settled);
    VirtualTime.Pause wait = time.new Pause();
    Latency latency = Latency.of(random);
    long at = time.micros() + latency.thereMicros();
    Post.Parcel parcel = world.post().send(List.of(new Step.End(at, end.counter(), settled)));
    time.at(
        at,
        () -> {
          world.post().arrived(parcel);
          world.ledger().settled(account, settled, time.micros());
          wait.endAt(time.micros() + latency.backMicros());
        });
    wait.await();
    requireAlive();
    return true;
  }

  private void requireAlive() throws StoreUnavailableException {
    if (isDead) {
      throw gone("the node is dead");
    }
  }

  private static StoreUnavailableException gone(String why) {
    return new StoreUnavailableException(why, Duration.ofSeconds(1), null);
  }

  @Override
  public void close() {
    isDead = true;
  }
}
