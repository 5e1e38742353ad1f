package dev.weir.redis.internal.client;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Calls that are not sent yet, in order of arrival within three ranks: what keeps permits and nodes
 * alive overtakes decisions, and refunds and releases yield to both.
 *
 * <p>Calls that are over stay until they are taken out. Thread-safe; one thread at a time takes.
 */
final class CallQueue {

  /** A call that costs more weighs only so much: it must fit into every part of a batch. */
  private static final int HEAVIEST_MICROS = InFlightWindow.BATCH_MICROS / 4;

  private final Deque<PendingCall> urgent = new ConcurrentLinkedDeque<>();
  private final Deque<PendingCall> usual = new ConcurrentLinkedDeque<>();
  private final Deque<PendingCall> background = new ConcurrentLinkedDeque<>();

  void add(PendingCall call) {
    rank(call).addLast(call);
  }

  /** Puts calls that were taken out back in front, in their order. */
  void putBack(List<PendingCall> calls) {
    for (int i = calls.size() - 1; i >= 0; i--) {
      rank(calls.get(i)).addFirst(calls.get(i));
    }
  }

  /** One that was posted keeps its place: what is asked after it is to find it done. */
  private Deque<PendingCall> rank(PendingCall call) {
    if (call.isPosted()) {
      return usual;
    }
    return switch (call.call().script().purpose()) {
      case KEEP_ALIVE -> urgent;
      case DECIDE, CHARGE, OTHER -> usual;
      case REFUND -> background;
    };
  }

  /** Counts them one by one. */
  int size() {
    return urgent.size() + usual.size() + background.size();
  }

  boolean isEmpty() {
    return usual.isEmpty() && urgent.isEmpty() && background.isEmpty();
  }

  /**
   * Takes out the next calls, as many as one batch may carry. Refunds and releases come before
   * decisions while they fill no more than a quarter, with what is urgent: so a flood of decisions
   * cannot keep permits from coming back.
   */
  List<PendingCall> take() {
    Filling filling = new Filling();
    filling.add(urgent, InFlightWindow.BATCH_MICROS);
    filling.add(background, HEAVIEST_MICROS);
    filling.add(usual, InFlightWindow.BATCH_MICROS);
    filling.add(background, InFlightWindow.BATCH_MICROS);
    return filling.calls;
  }

  /** A batch that is being filled. */
  private final class Filling {

    private final List<PendingCall> calls = new ArrayList<>();
    private int micros;

    void add(Deque<PendingCall> rank, int mostMicros) {
      for (@Nullable PendingCall next = poll(rank); next != null; next = poll(rank)) {
        int weight = Math.min(next.call().micros(), HEAVIEST_MICROS);
        if (micros + weight > mostMicros) {
          putBack(List.of(next));
          return;
        }
        calls.add(next);
        micros += weight;
      }
    }
  }

  /** The next call of this rank for which a thread still waits. */
  private @Nullable PendingCall poll(Deque<PendingCall> rank) {
    while (true) {
      @Nullable PendingCall next = rank.pollFirst();
      if (next == null) {
        return null;
      }
      if (!next.isOver()) {
        return next;
      }
    }
  }

  /** Takes out all calls. */
  List<PendingCall> drain() {
    List<PendingCall> all = new ArrayList<>();
    for (Deque<PendingCall> rank : List.of(urgent, usual, background)) {
      for (@Nullable PendingCall next = poll(rank); next != null; next = poll(rank)) {
        all.add(next);
      }
    }
    return all;
  }
}
