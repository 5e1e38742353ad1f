package dev.weir.near;

import dev.weir.redis.VirtualRedis;
import dev.weir.redis.VirtualRedis.Reply;
import dev.weir.redis.VirtualRedis.Step;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.Adjustment;
import dev.weir.store.Deadline;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.LimitStore;
import dev.weir.store.LimitStore.Lending;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One node's client in virtual time. Decisions that come while some batches are in flight leave
 * together as soon as one of them is back, unless each is to go alone. Leases go alone.
 */
final class VirtualClient implements LimitStore, Lending {

  private static final long DEADLINE_MICROS = 100_000;

  /** A call that waits for its reply. */
  private static final class PendingCall {

    private final LongFunction<Step> step;
    private final Consumer<Reply> booked;
    private final VirtualTime.Pause wait;
    private @Nullable Reply reply;

    /**
     * @param step what Redis does, at some time
     * @param booked notes what Redis has done
     */
    PendingCall(LongFunction<Step> step, Consumer<Reply> booked, VirtualTime.Pause wait) {
      this.step = step;
      this.booked = booked;
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
    PendingCall call =
        new PendingCall(
            at -> new Step.Decide(at, request),
            reply -> world.ledger().decided(request, decision(reply), time.micros()),
            time.new Pause());
    if (world.sharesTrips()) {
      waiting.add(call);
      begin();
    } else {
      leave(List.of(call), false);
    }
    call.wait.await();
    requireAlive();
    if (call.reply == null) {
      throw gone("no answer");
    }
    return decision(call.reply);
  }

  private static Decision decision(Reply reply) {
    return ((Reply.Decided) reply).decision();
  }

  @Override
  public Optional<Lending> lending() {
    return Optional.of(this);
  }

  @Override
  public Lease lend(Charge most, Settlement settled, Deadline deadline)
      throws StoreUnavailableException {
    requireAlive();
    Account account = world.ledger().of(most.counter());
    hands.settled(account, settled);
    PendingCall call =
        new PendingCall(
            at -> new Step.Lend(at, most, settled),
            reply -> world.ledger().lent(account, settled, lease(reply), time.micros()),
            time.new Pause());
    leave(List.of(call), false);
    call.wait.await();
    @Nullable Lease lease = call.reply == null ? null : lease(call.reply);
    if (lease == null) {
      hands.lost(account);
    } else if (isDead) {
      account.lostInCrashes += lease.permits();
    } else {
      hands.lent(account, lease);
    }
    requireAlive();
    if (lease == null) {
      throw gone("no answer");
    }
    return lease;
  }

  private static Lease lease(Reply reply) {
    return ((Reply.Lent) reply).lease();
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
        world.post().send(batch.stream().<Step>map(one -> one.step.apply(at)).toList());
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
    List<Reply> replies = world.post().arrived(parcel);
    long back = latency.isLost() ? DEADLINE_MICROS : latency.backMicros();
    for (int i = 0; i < batch.size(); i++) {
      batch.get(i).booked.accept(replies.get(i));
      batch.get(i).reply = latency.isLost() ? null : replies.get(i);
      batch.get(i).wait.endAt(time.micros() + back);
    }
  }

  @Override
  public Set<Receipt.Grant> adjust(Adjustment adjustment, Deadline deadline) {
    throw new IllegalArgumentException("adjustment: " + adjustment + " (expected: none)");
  }

  @Override
  public void end(Ending ending, Deadline deadline) throws StoreUnavailableException {
    requireAlive();
    world.totals().batches++;
    Account account = world.ledger().of(ending.counter());
    Settlement settled = ending.settled();
    hands.settled(account, settled);
    VirtualTime.Pause wait = time.new Pause();
    Latency latency = Latency.of(random);
    long at = time.micros() + latency.thereMicros();
    Post.Parcel parcel = world.post().send(List.of(new Step.End(at, ending)));
    time.at(
        at,
        () -> {
          world.post().arrived(parcel);
          world.ledger().settled(account, settled, time.micros());
          wait.endAt(time.micros() + latency.backMicros());
        });
    wait.await();
    requireAlive();
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
