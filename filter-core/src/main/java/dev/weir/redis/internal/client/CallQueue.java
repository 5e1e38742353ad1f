package dev.weir.redis.internal.client;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * The calls that are not sent yet, in order of arrival within three ranks. Calls that keep permits
 * and nodes alive overtake decisions. Refunds and releases yield to both, except in the first
 * quarter of a batch, where they yield only to calls that overtake.
 *
 * <p>Calls that are over stay in the queue until they are taken out. Thread-safe; one thread at a
 * time takes.
 */
final class CallQueue {

  /** The weight of a call that costs as much or more: it must fit into every part of a batch. */
  private static final int HEAVIEST_MICROS = InFlightWindow.BATCH_MICROS / 4;

  private final Deque<PendingCall> urgent = new ConcurrentLinkedDeque<>();
  private final Deque<PendingCall> usual = new ConcurrentLinkedDeque<>();
  private final Deque<PendingCall> background = new ConcurrentLinkedDeque<>();

  void add(PendingCall call) {
    rank(call).addLast(call);
  }

  /** Puts calls back to the front, in their order. */
  void putBack(List<PendingCall> calls) {
    for (int i = calls.size() - 1; i >= 0; i--) {
      rank(calls.get(i)).addFirst(calls.get(i));
    }
  }

  /**
   * Returns the queue of this call. A posted call keeps its position: a later call on this
   * connection must find it done. A call on a dedicated connection may overtake it.
   */
  private Deque<PendingCall> rank(PendingCall call) {
    if (call.isPosted()) {
      return usual;
    }
    return switch (call.call().operation()) {
      case RENEW, HEARTBEAT, LEAVE -> urgent;
      case DECIDE,
          WITHIN,
          UP_TO,
          OR_BLOCK,
          PEEK,
          LEASE,
          RECONCILE,
          REWARD,
          BLOCK,
          UNBLOCK,
          RESET,
          BATCH,
          ACROSS ->
          usual;
      case REFUND -> background;
    };
  }

  /** Returns the number of calls. It counts them one by one. */
  int size() {
    return urgent.size() + usual.size() + background.size();
  }

  boolean isEmpty() {
    return usual.isEmpty() && urgent.isEmpty() && background.isEmpty();
  }

  /**
   * Takes out the next calls, as many as fit into one batch. Refunds and releases come before
   * decisions while they and the urgent calls fill at most a quarter of it. So a flood of decisions
   * cannot hold up the return of permits.
   */
  List<PendingCall> take() {
    List<PendingCall> batch = new ArrayList<>();
    int micros = fill(batch, 0, urgent, InFlightWindow.BATCH_MICROS);
    micros = fill(batch, micros, background, HEAVIEST_MICROS);
    micros = fill(batch, micros, usual, InFlightWindow.BATCH_MICROS);
    if (!background.isEmpty()) {
      fill(batch, micros, background, InFlightWindow.BATCH_MICROS);
    }
    return batch;
  }

  /** Moves calls of this rank to a batch of this weight, up to the most. Returns its new weight. */
  private static int fill(
      List<PendingCall> batch, int micros, Deque<PendingCall> rank, int mostMicros) {
    int filled = micros;
    for (@Nullable PendingCall next = rank.poll(); next != null; next = rank.poll()) {
      if (next.isOver()) {
        continue;
      }
      int weight = Math.min(next.call().micros(), HEAVIEST_MICROS);
      if (filled + weight > mostMicros) {
        rank.addFirst(next);
        break;
      }
      batch.add(next);
      filled += weight;
    }
    return filled;
  }

  /** Takes out all calls, also those that are over. */
  List<PendingCall> drain() {
    List<PendingCall> all = new ArrayList<>();
    for (Deque<PendingCall> rank : List.of(urgent, usual, background)) {
      for (@Nullable PendingCall next = rank.poll(); next != null; next = rank.poll()) {
        all.add(next);
      }
    }
    return all;
  }
}
