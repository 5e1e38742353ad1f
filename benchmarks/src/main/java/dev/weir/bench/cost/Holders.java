package dev.weir.bench.cost;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The holders of a limit's permits. All permits but one are held. Returns the call that grants,
 * renews or releases the next one.
 */
final class Holders {

  private final HolderCalls calls;
  private final Deque<Integer> held;
  private int free;

  /**
   * @param free the only holder without a permit
   * @param held the other holders, oldest permit first
   */
  Holders(HolderCalls calls, int free, Deque<Integer> held) {
    this.calls = calls;
    this.free = free;
    this.held = held;
  }

  /** Grants all but one, on so many copies of the key. */
  static Holders filled(HolderCalls calls, Replay replay, int copies) {
    int free = calls.grants().size() - 1;
    Deque<Integer> held = new ArrayDeque<>();
    for (int holder = 0; holder < free; holder++) {
      replay.send(1, calls.grants().get(holder));
      held.add(holder);
    }
    for (String key : calls.denial().keys()) {
      for (int copy = 1; copy < copies; copy++) {
        replay.copy(key, ofCopy(copy, key));
      }
    }
    return new Holders(calls, free, held);
  }

  /** Returns the same call on a copy of its key. The first copy is the key itself. */
  static Call ofCopy(int copy, Call call) {
    return call.on(key -> ofCopy(copy, key));
  }

  private static String ofCopy(int copy, String key) {
    return copy == 0 ? key : key + "-copy-" + copy;
  }

  /** Returns the call that grants the last permit. */
  Call grant() {
    held.addLast(free);
    return calls.grants().get(free);
  }

  Call denial() {
    return calls.denial();
  }

  /** Returns the call that renews the oldest permit. */
  Call renewal() {
    int oldest = held.removeFirst();
    held.addLast(oldest);
    return calls.renewals().get(oldest);
  }

  /** Returns the call that releases the oldest permit. */
  Call release() {
    free = held.removeFirst();
    return calls.releases().get(free);
  }
}
