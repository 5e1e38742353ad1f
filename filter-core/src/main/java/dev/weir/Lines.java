package dev.weir;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Who waits on this node for what no store keeps a place for: in one line for each set of counters
 * that is waited for, in order of arrival. The first of a line asks; the others wait for their
 * turn. To join, to leave and to look ahead take the same time however long the line is.
 * Thread-safe.
 */
final class Lines {

  /** Somebody in a line, known by his identity. */
  interface InLine {

    /** What he waits for, by which he finds his line. */
    List<Charge> waitedFor();

    /** Everybody before him has left, or something has come back. */
    void turn();
  }

  private static final class Line {

    private final LinkedHashSet<InLine> inOrder = new LinkedHashSet<>();

    /** What all of them wait for, of each counter; it overflows for nobody who can be served. */
    private final long[] permits;

    private Line(int counters) {
      permits = new long[counters];
    }

    private InLine first() {
      return inOrder.iterator().next();
    }

    private void add(List<Charge> charges, int sign) {
      for (int i = 0; i < permits.length; i++) {
        permits[i] += sign * charges.get(i).permits();
      }
    }
  }

  private final Alarm alarm;
  private final Executor workers;
  private final Map<List<Counter>, Line> lines = new HashMap<>();

  /** What is to begin after what is about to begin, for the same counters. */
  private final Map<List<Counter>, Deque<Runnable>> turns = new HashMap<>();

  /**
   * @param alarm tells when to ask again
   * @param workers may wait for a store
   */
  Lines(Alarm alarm, Executor workers) {
    this.alarm = alarm;
    this.workers = workers;
  }

  /** Runs it once on a thread that may wait for a store. */
  Alarm.Pending in(Duration delay, Runnable task) {
    return alarm.in(delay, () -> workers.execute(task));
  }

  /**
   * The same, and given to a thread after what was due earlier for the same counters has come to
   * one: of two threads, that which was given its task first may be much later than the other. It
   * waits for no end of what was due earlier.
   */
  Alarm.Pending inTurn(Duration delay, List<Charge> charges, Runnable task) {
    return alarm.in(delay, () -> inTurn(counters(charges), task));
  }

  private void inTurn(List<Counter> counters, Runnable task) {
    synchronized (this) {
      @Nullable Deque<Runnable> behind = turns.get(counters);
      if (behind != null) {
        behind.addLast(task);
        return;
      }
      turns.put(counters, new ArrayDeque<>());
    }
    begin(counters, task);
  }

  private void begin(List<Counter> counters, Runnable task) {
    workers.execute(() -> run(counters, task));
  }

  /** What is next begins on another thread: nobody knows what is done in this one, and how long. */
  private void run(List<Counter> counters, Runnable task) {
    @Nullable Runnable next = behind(counters);
    try {
      if (next != null) {
        begin(counters, next);
      }
    } finally {
      task.run();
    }
  }

  private synchronized @Nullable Runnable behind(List<Counter> counters) {
    @Nullable Deque<Runnable> behind = turns.get(counters);
    @Nullable Runnable next = behind == null ? null : behind.pollFirst();
    if (next == null) {
      turns.remove(counters);
    }
    return next;
  }

  /** As soon as there is such a thread. */
  void soon(Runnable task) {
    workers.execute(task);
  }

  /**
   * What everybody in the line of these charges waits for, counter by counter.
   *
   * @return empty when nobody waits
   */
  synchronized List<Long> ahead(List<Charge> charges) {
    @Nullable Line line = lines.get(counters(charges));
    return line == null ? List.of() : boxed(line.permits);
  }

  private static List<Long> boxed(long[] permits) {
    List<Long> boxed = new ArrayList<>(permits.length);
    for (long each : permits) {
      boxed.add(each);
    }
    return boxed;
  }

  /**
   * Joins the line; to be left once.
   *
   * @return whether nobody is before
   */
  synchronized boolean join(InLine newcomer) {
    List<Charge> charges = newcomer.waitedFor();
    Line line = lines.computeIfAbsent(counters(charges), nobody -> new Line(charges.size()));
    line.inOrder.add(newcomer);
    line.add(charges, 1);
    return line.inOrder.size() == 1;
  }

  /** Whoever was second is told that it is his turn. To leave twice is to leave once. */
  void leave(InLine leaver) {
    @Nullable InLine next = removed(leaver);
    if (next != null) {
      soon(next::turn);
    }
  }

  /** Returns whose turn it is now, if it was the first who left. */
  private synchronized @Nullable InLine removed(InLine leaver) {
    List<Counter> counters = counters(leaver.waitedFor());
    @Nullable Line line = lines.get(counters);
    if (line == null) {
      return null;
    }
    boolean wasFirst = line.first() == leaver;
    if (!line.inOrder.remove(leaver)) {
      return null;
    }
    line.add(leaver.waitedFor(), -1);
    if (line.inOrder.isEmpty()) {
      lines.remove(counters);
      return null;
    }
    return wasFirst ? line.first() : null;
  }

  /** Something of these has come back: the first who waits for them asks now. */
  void cameBack(List<Charge> charges) {
    @Nullable InLine first = first(charges);
    if (first != null) {
      soon(first::turn);
    }
  }

  synchronized boolean isFirst(InLine one) {
    return first(one.waitedFor()) == one;
  }

  private synchronized @Nullable InLine first(List<Charge> charges) {
    @Nullable Line line = lines.get(counters(charges));
    return line == null ? null : line.first();
  }

  private static List<Counter> counters(List<Charge> charges) {
    return charges.stream().map(Charge::counter).toList();
  }
}
