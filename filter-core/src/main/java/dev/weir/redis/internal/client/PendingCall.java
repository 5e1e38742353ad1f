package dev.weir.redis.internal.client;

import dev.weir.Deadline;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * A call of a script, from when it is queued until its outcome is known, and the thread that waits
 * for it. No thread waits for one that was posted.
 *
 * <pre>
 *            send               complete
 *   QUEUED ─────────▶ SENT ─────────────────▶ outcome
 *     │ ▲              │ │ deadline
 *     │ └── requeue ───┘ └───▶ abandoned      the reply is still read: a grant in it is refunded
 *     └── deadline, interrupt ─▶ abandoned    not sent: nothing was charged
 * </pre>
 *
 * <p>Completing a call only wakes its thread. Thread-safe.
 */
final class PendingCall {

  /** What a call without an outcome can be. */
  private enum State implements Stage {
    QUEUED,
    SENT
  }

  /** A state or, in the end, an outcome: both change in one step. */
  private sealed interface Stage permits State, Outcome {}

  /** What came of a call. */
  sealed interface Outcome extends Stage {

    /** Whether it is certain that nothing was run. */
    default boolean isUnsent() {
      return false;
    }

    /** The integers that the script replied. */
    record Replied(List<Long> integers) implements Outcome {}

    /** Another primary has the slot; nothing was run. */
    record Redirected(JedisRedirectionException to) implements Outcome {
      @Override
      public boolean isUnsent() {
        return true;
      }
    }

    /** The cause says whether the call may have been run. */
    record Failed(JedisException cause) implements Outcome {
      @Override
      public boolean isUnsent() {
        return NotSentException.isCause(cause);
      }
    }

    /** Its thread waits no more: its deadline has passed, or it was interrupted. */
    record Abandoned(boolean wasSent) implements Outcome {}
  }

  /** How a call may be sent. */
  enum Form {
    /** Together with others of its slot. */
    BATCHED,
    /** In a command of its own. */
    SINGLE,
    /** In a command of its own, to a primary that does not have the slot yet. */
    ASKING
  }

  /** A server that refuses a call more often than it has causes to is not believed. */
  private static final int MOST_SENDS = 5;

  private final ScriptCall call;
  private final Deadline due;
  private final @Nullable Thread thread;
  private final boolean isOnPlatformThread;

  /** Run for a posted call that was not run in Redis. */
  private final @Nullable Runnable unsent;

  private final AtomicReference<Stage> stage = new AtomicReference<>(State.QUEUED);
  private volatile Form form;
  private final long givenNanos;
  private int sends;

  /** One that this thread waits for. */
  PendingCall(ScriptCall call, Form form, Deadline due) {
    this(call, form, due, Thread.currentThread(), null);
  }

  /**
   * One that no thread waits for.
   *
   * @param unsent is run if the call was not, by the thread that finds out; returns at once
   */
  static PendingCall posted(ScriptCall call, Deadline due, Runnable unsent) {
    return new PendingCall(call, Form.SINGLE, due, null, unsent);
  }

  private PendingCall(
      ScriptCall call,
      Form form,
      Deadline due,
      @Nullable Thread thread,
      @Nullable Runnable unsent) {
    this.call = call;
    this.form = form;
    this.due = due;
    this.thread = thread;
    this.unsent = unsent;
    isOnPlatformThread = thread != null && !VirtualThreads.isVirtual(thread);
    givenNanos = due.remainingNanos();
  }

  ScriptCall call() {
    return call;
  }

  Deadline due() {
    return due;
  }

  Form form() {
    return form;
  }

  /** Whether its thread may read and write sockets: an interrupt of a virtual one closes them. */
  boolean isOnPlatformThread() {
    return isOnPlatformThread;
  }

  /** Whether no thread waits for it. */
  boolean isPosted() {
    return unsent != null;
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  /** Returns whether it is to be sent: false when its thread waits no more. */
  boolean send() {
    return stage.compareAndSet(State.QUEUED, State.SENT);
  }

  /**
   * Returns whether it is to be sent again, since Redis has not run it: false when its thread waits
   * no more, or when it was sent too often.
   */
  boolean requeue(Form newForm) {
    sends++;
    if (sends >= MOST_SENDS) {
      return false;
    }
    form = newForm;
    return stage.compareAndSet(State.SENT, State.QUEUED);
  }

  /**
   * Sets the outcome of a call that was sent, and wakes the thread that waits.
   *
   * @return false when it has timed out before
   */
  boolean complete(Outcome outcome) {
    return complete(State.SENT, outcome);
  }

  /** The same for a call that will not be sent; does nothing when it was sent or is over. */
  void refuse(NotSentException why) {
    complete(State.QUEUED, new Outcome.Failed(why));
  }

  private boolean complete(State from, Outcome outcome) {
    if (!stage.compareAndSet(from, outcome)) {
      return false;
    }
    if (unsent != null && outcome.isUnsent()) {
      unsent.run();
    }
    wake();
    return true;
  }

  /** Whether its thread waits no more. */
  boolean isOver() {
    return stage.get() instanceof Outcome;
  }

  /** Ends it unless it was sent. */
  private boolean cancelIfQueued() {
    return stage.compareAndSet(State.QUEUED, new Outcome.Abandoned(false));
  }

  /** Ends it whatever its state: its thread waits no more. */
  void abandon() {
    if (!cancelIfQueued()) {
      stage.compareAndSet(State.SENT, new Outcome.Abandoned(true));
    }
  }

  /**
   * Waits until it is over, or until another thread wakes it: a virtual thread without a time, see
   * {@link OverdueCalls}. An interrupt ends the wait of a call that was not sent; one that was sent
   * is over soon.
   *
   * @return whether the thread was interrupted
   */
  boolean park() {
    long nanos = due.remainingNanos();
    if (nanos <= 0) {
      abandon();
      return false;
    }
    if (isOnPlatformThread) {
      LockSupport.parkNanos(this, nanos);
    } else {
      LockSupport.park(this);
    }
    boolean interrupted = Thread.interrupted();
    if (interrupted) {
      cancelIfQueued();
    }
    return interrupted;
  }

  /**
   * What came of it.
   *
   * @throws IllegalStateException when it is not over
   */
  Outcome outcome() {
    if (stage.get() instanceof Outcome outcome) {
      return outcome;
    }
    throw new IllegalStateException("the call is not over");
  }

  /** How much time was left to it when it was made. */
  long givenNanos() {
    return givenNanos;
  }
}
