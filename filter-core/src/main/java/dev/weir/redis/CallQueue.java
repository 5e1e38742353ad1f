package dev.weir.redis;

import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Calls that are not sent yet, in order of arrival within three ranks: what keeps permits and nodes
 * alive overtakes decisions, and refunds and releases yield to both.
 *
 * <p>Calls that are over stay until they are taken out. Thread-safe; one thread at a time takes.
 */
final class CallQueue {

  /** Who goes first. */
  enum Rank {
    URGENT,
    USUAL,
    BACKGROUND
  }

  /** A call that costs more weighs only so much: it must fit into every part of a batch. */
  private static final int HEAVIEST_MICROS = Window.BATCH_MICROS / 4;

  private final Map<Rank, Deque<PendingCall>> byRank = new EnumMap<>(Rank.class);

  private final AtomicInteger size = new AtomicInteger();

  CallQueue() {
    for (Rank rank : Rank.values()) {
      byRank.put(rank, new ConcurrentLinkedDeque<>());
    }
  }

  void add(PendingCall call) {
    of(call).addLast(call);
    size.incrementAndGet();
  }

  /** Puts calls that were taken out back in front, in their order. */
  void putBack(List<PendingCall> calls) {
    for (int i = calls.size() - 1; i >= 0; i--) {
      of(calls.get(i)).addFirst(calls.get(i));
      size.incrementAndGet();
    }
  }

  private Deque<PendingCall> of(PendingCall call) {
    return of(call.call().script().rank());
  }

  private Deque<PendingCall> of(Rank rank) {
    return Objects.requireNonNull(byRank.get(rank));
  }

  boolean isEmpty() {
    return size.get() == 0;
  }

  /**
   * Takes out the next calls, as many as one batch may carry. Refunds and releases have a quarter
   * of it for themselves, so that a flood of decisions cannot keep permits from coming back.
   */
  List<PendingCall> take() {
    Filling filling = new Filling();
    filling.add(Rank.URGENT, Window.BATCH_MICROS);
    filling.add(Rank.BACKGROUND, HEAVIEST_MICROS);
    filling.add(Rank.USUAL, Window.BATCH_MICROS);
    filling.add(Rank.BACKGROUND, Window.BATCH_MICROS);
    return filling.calls;
  }

  /** Takes out the next call alone, whatever it costs. */
  List<PendingCall> takeOne() {
    for (Rank rank : Rank.values()) {
      @Nullable PendingCall next = poll(rank);
      if (next != null) {
        return List.of(next);
      }
    }
    return List.of();
  }

  /** A batch that is being filled. */
  private final class Filling {

    private final List<PendingCall> calls = new ArrayList<>();
    private int micros;

    void add(Rank rank, int mostMicros) {
      while (true) {
        @Nullable PendingCall next = poll(rank);
        if (next == null) {
          return;
        }
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
  private @Nullable PendingCall poll(Rank rank) {
    while (true) {
      @Nullable PendingCall next = of(rank).pollFirst();
      if (next == null) {
        return null;
      }
      size.decrementAndGet();
      if (!next.isOver()) {
        return next;
      }
    }
  }

  /** Takes out all calls. */
  List<PendingCall> drain() {
    List<PendingCall> all = new ArrayList<>();
    for (Rank rank : Rank.values()) {
      for (@Nullable PendingCall next = poll(rank); next != null; next = poll(rank)) {
        all.add(next);
      }
    }
    return all;
  }
}
