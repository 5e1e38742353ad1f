package dev.weir.near;

import dev.weir.Amendment;
import dev.weir.Ask;
import dev.weir.Deadline;
import dev.weir.Decision;
import dev.weir.LeaseSettlement;
import dev.weir.LimitStore;
import dev.weir.StoreUnavailableException;
import dev.weir.Terms;
import dev.weir.redis.VirtualRedis;
import dev.weir.redis.VirtualRedis.Step;
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
final class VirtualTrips implements LimitStore {

  private static final long DEADLINE_MICROS = 100_000;

  /** Somebody who waits for an answer. */
  private static final class Passenger {

    private final Ask ask;
    private final VirtualTime.Wait wait;
    private @Nullable Decision reply;

    Passenger(Ask ask, VirtualTime.Wait wait) {
      this.ask = ask;
      this.wait = wait;
    }
  }

  private final World world;
  private final VirtualTime time;
  private final Hands hands;
  private final SplittableRandom random;
  private final Queue<Passenger> waiting = new ArrayDeque<>();
  private int trips;
  private boolean isDead;

  VirtualTrips(World world, Hands hands, SplittableRandom random) {
    this.world = world;
    this.time = world.time();
    this.hands = hands;
    this.random = random;
  }

  /** Nothing that was asked is answered, nor is anything asked. */
  void die() {
    isDead = true;
  }

  @Override
  public Decision decide(Ask ask) throws StoreUnavailableException {
    requireAlive();
    Account account = world.ledger().of(ask);
    Passenger passenger = new Passenger(ask, time.new Wait());
    if (ask.terms() instanceof Terms.Leased leased) {
      hands.settled(account, leased.settled());
      leave(List.of(passenger), false);
    } else if (world.sharesTrips()) {
      waiting.add(passenger);
      begin();
    } else {
      leave(List.of(passenger), false);
    }
    passenger.wait.await();
    return answer(passenger, account);
  }

  private Decision answer(Passenger passenger, Account account) throws StoreUnavailableException {
    @Nullable Decision reply = passenger.reply;
    if (passenger.ask.terms() instanceof Terms.Leased) {
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
    while (!waiting.isEmpty() && trips < VirtualRedis.MOST_TRIPS) {
      List<Passenger> party = new ArrayList<>();
      while (!waiting.isEmpty() && party.size() < VirtualRedis.MOST_TOGETHER) {
        party.add(waiting.remove());
      }
      leave(party, true);
    }
  }

  private void leave(List<Passenger> party, boolean isShared) {
    world.tally().trips++;
    Latency latency = Latency.of(random);
    long at = time.micros() + latency.thereMicros();
    Post.Parcel parcel =
        world.post().send(party.stream().<Step>map(one -> new Step.Decide(at, one.ask)).toList());
    time.at(at, () -> arrive(party, parcel, latency));
    if (isShared) {
      long back = latency.isLost() ? DEADLINE_MICROS : latency.thereMicros() + latency.backMicros();
      trips++;
      time.at(time.micros() + back, this::ended);
    }
  }

  private void ended() {
    trips--;
    begin();
  }

  private void arrive(List<Passenger> party, Post.Parcel parcel, Latency latency) {
    List<Decision> replies = world.post().arrived(parcel);
    long back = latency.isLost() ? DEADLINE_MICROS : latency.backMicros();
    for (int i = 0; i < party.size(); i++) {
      world.ledger().decided(party.get(i).ask, replies.get(i), time.micros());
      party.get(i).reply = latency.isLost() ? null : replies.get(i);
      party.get(i).wait.endAt(time.micros() + back);
    }
  }

  @Override
  public boolean amend(Amendment amendment, Deadline deadline) throws StoreUnavailableException {
    requireAlive();
    if (!(amendment instanceof Amendment.EndLease end)) {
      throw new IllegalArgumentException("amendment: " + amendment + " (expected: an EndLease)");
    }
    world.tally().trips++;
    Account account = world.ledger().of(end.counter());
    LeaseSettlement settled = end.settled();
    hands.settled(account, settled);
    VirtualTime.Wait wait = time.new Wait();
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
