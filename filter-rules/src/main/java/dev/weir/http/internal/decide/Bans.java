package dev.weir.http.internal.decide;

import dev.weir.http.Rule;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Counter;
import dev.weir.store.Deadline;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.LimitStore;
import dev.weir.store.OnOutage;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * The denials of this node for rules that ban. Thread-safe.
 *
 * <p>Model. A subject's denials by one rule have a counter in the store: a sliding window, whose
 * block is the ban. Each request of the rule also requires that this counter is not blocked, in the
 * decision about its limits. So that costs no further call. Denials are counted here first, since
 * most of them are made without the store. A second after the first of them, all are sent, on other
 * threads than those of requests. What is denied meanwhile is sent a second after that.
 *
 * <p>The store takes as many permits as there were denials, or blocks if no more remain. It does so
 * in one step, whichever nodes send. A blocked counter does not change. So the denials that were
 * counted before a ban, and sent during it, neither count nor lengthen it.
 *
 * <p>Whose denials count. Only those that a subject's own limit has made. Others share a counter in
 * process, or a node has a share of the limit in an outage, or requests before this one wait: then
 * the subject may have kept its limit.
 *
 * <p>Memory. At most {@value #MOST_PENDING} subjects are pending. Denials of further ones are not
 * counted, until the next second. So a flood of subjects delays bans, and bans no other subject.
 * Denials whose outcome in the store is unknown are not sent again.
 *
 * <p>Example. A rule has {@code ban: 15m after 20 denials in 1m}. Two nodes deny an address 12
 * times each within a second. The first call takes 12 of the 20. The second requires 12, of which 8
 * remain, and so the address is banned.
 */
public final class Bans {

  private static final int MOST_PENDING = 10_000;

  /** Calls at the same time share batches. More of them would delay requests that wait. */
  private static final int MOST_SENDERS = 4;

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final LimitStore store;
  private final Duration deadline;
  private final RuleEvents events;
  private final BiConsumer<Duration, Runnable> later;
  private final Map<Denied, Long> pending = new ConcurrentHashMap<>();
  private final AtomicBoolean isSending = new AtomicBoolean();

  /** A subject that a rule denies, by the counter of its denials, and the ban that may come. */
  private record Denied(Counter counter, Duration ban) {}

  /**
   * @param deadline of each call to the store
   * @param later runs a task after a delay, on a thread that may block for the store
   */
  public Bans(
      LimitStore store,
      Duration deadline,
      RuleEvents events,
      BiConsumer<Duration, Runnable> later) {
    this.store = store;
    this.deadline = deadline;
    this.events = events;
    this.later = later;
  }

  /**
   * Counts a denial for each subject whose own limits have denied, by the rules that may ban it. A
   * denial that the subject alone does not account for never counts.
   */
  public void count(JointDecision denial) {
    if (!RuleCharges.haveBans(denial.charged()) || denial.banning().isPresent()) {
      return;
    }
    List<Verdict> denied =
        denial.verdicts().stream().filter(it -> !it.fits() && it.isOwn()).toList();
    for (RuleCharges one : denial.charged()) {
      for (Charge charge : one.charges()) {
        if (charge.permits() == 0
            && one.bannable().contains(charge.counter().subject())
            && denied.stream().anyMatch(it -> isDenied(charge, one, it.counter()))) {
          count(charge.counter(), one.rule());
        }
      }
    }
  }

  private static boolean isDenied(Charge ofBan, RuleCharges by, Counter denied) {
    return denied.subject().equals(ofBan.counter().subject()) && by.permitsOf(denied) > 0;
  }

  private void count(Counter counter, Rule rule) {
    Denied denied = new Denied(counter, rule.onDenial().ban().orElseThrow().length());
    if (pending.size() >= MOST_PENDING && !pending.containsKey(denied)) {
      return;
    }
    pending.merge(denied, 1L, Long::sum);
    sendLater();
  }

  private void sendLater() {
    if (!pending.isEmpty() && isSending.compareAndSet(false, true)) {
      try {
        later.accept(PAUSE, this::send);
      } catch (OutOfMemoryError noThread) {
        isSending.set(false); // the next denial tries again
      }
    }
  }

  /** Sends what is pending, a few calls at a time. The last sender lets the next pause begin. */
  private void send() {
    Queue<Denied> due = new ConcurrentLinkedQueue<>(pending.keySet());
    int senders = Math.max(1, Math.min(MOST_SENDERS, due.size()));
    AtomicInteger left = new AtomicInteger(senders);
    for (int i = 0; i < senders; i++) {
      later.accept(
          Duration.ZERO,
          () -> {
            try {
              send(due);
            } finally {
              if (left.decrementAndGet() == 0) {
                isSending.set(false);
                sendLater();
              }
            }
          });
    }
  }

  private void send(Queue<Denied> due) {
    for (Denied denied = due.poll(); denied != null; denied = due.poll()) {
      Long denials = pending.remove(denied);
      if (denials != null) {
        send(denied, denials);
      }
    }
  }

  /** Sends to the store that all nodes share. In an outage of it, the denials do not count. */
  private void send(Denied denied, long denials) {
    Counter counter = denied.counter();
    Charge charge = new Charge(counter, Math.min(denials, counter.limit().capacity()));
    try {
      store.decide(
          new AcquireRequest(
              List.of(charge),
              new Mode.OrBlock(denied.ban()),
              OnOutage.ALLOW,
              Deadline.after(deadline)));
    } catch (StoreUnavailableException lost) {
      events.failed("denials of a subject are not counted for its ban", lost);
    } catch (RuntimeException e) {
      events.failed("ban failed", e);
    }
  }
}
