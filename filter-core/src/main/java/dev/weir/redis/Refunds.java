package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.LimiterListener;
import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Returns permits that no request uses: those granted by a reply that came after its caller's
 * deadline, and those held by a call whose reply never came.
 *
 * <p>Consumed permits are refunded once, and only when it is known that they were granted. Held
 * ones are released by their id, again and again until that is known to have worked, whether or not
 * they were granted.
 */
final class Refunds {

  private final Duration deadline;
  private final GiveBacks giveBacks;
  private final Releases releases;
  private final AtomicReference<@Nullable Trips> trips = new AtomicReference<>();

  Refunds(Duration deadline, LimiterListener listener) {
    this.deadline = deadline;
    giveBacks = new GiveBacks(this::giveBack);
    releases = new Releases(this::release, deadline, listener);
  }

  /** Sends them by this from now on. */
  void sendBy(Trips sender) {
    trips.set(sender);
  }

  /** Takes back what a reply has granted that no caller waits for. */
  void addLate(ScriptCall call, List<Long> reply) {
    if (call.asked().isEmpty() || Answer.isOutside(reply)) {
      return;
    }
    add(Answer.late(call, reply).grants());
  }

  /** Releases what a call may hold of which no reply came. */
  void addUnknown(ScriptCall call) {
    releases.add(call.asked().stream().filter(Grant::isHeld).toList());
  }

  /** Takes back what was granted. */
  void add(List<Grant> grants) {
    Receipt receipt = new Receipt(Source.REDIS, grants);
    if (!receipt.consumed().grants().isEmpty()) {
      giveBacks.add(receipt.consumed().grants());
    }
    releases.add(receipt.held().grants());
  }

  /** Releases what is held: a refund of it may not have arrived. */
  void addHeld(List<Grant> grants) {
    releases.add(new Receipt(Source.REDIS, grants).held().grants());
  }

  /** How many releases are not over. */
  int releasesWaiting() {
    return releases.waiting();
  }

  private void giveBack(List<Grant> grants) {
    @Nullable Trips sender = trips.get();
    if (sender != null) {
      sender.giveBackOrLose(grants, Deadline.after(deadline));
    }
  }

  private boolean release(List<Grant> held) throws StoreUnavailableException {
    @Nullable Trips sender = trips.get();
    return sender != null && sender.giveBack(held, Deadline.after(deadline)) > 0;
  }

  void close() {
    giveBacks.close();
    releases.close();
  }

  void join(long millis) throws InterruptedException {
    giveBacks.join(millis);
    releases.join(millis);
  }
}
