package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * A call of a script, from its queueing until its outcome is known, and the thread that waits for
 * it. A posted call has no waiting thread.
 *
 * <pre>
 *            send               complete
 *   QUEUED ─────────▶ SENT ─────────────────▶ outcome
 *     │ ▲              │ │ deadline
 *     │ └── requeue ───┘ └───▶ abandoned      its reply, if it still comes, is read: a grant is refunded
 *     ├── deadline ─▶ abandoned               not sent: nothing was charged
 *     └── refuse ─▶ outcome                   not sent: the primary is out, or no time was left
 * </pre>
 *
 * <p>Completing a call only wakes its thread. Thread-safe.
 */
final class PendingCall {

  /** The states of a call without an outcome. */
  private enum State implements Stage {
    QUEUED,
    SENT
  }

  /** A state or, in the end, an outcome. Both change in one step. */
  private sealed interface Stage permits State, Outcome {}

  /** The outcome of a call. */
  sealed interface Outcome extends Stage {

    /** The reply of the script, as integers. */
    record Replied(List<Long> integers) implements Outcome {}

    /** A failure, or a redirection to another primary, which has the slot. */
    record Failed(JedisException cause) implements Outcome {}

    /** The thread no longer waits, since its deadline has passed. */
    record Abandoned(boolean wasSent) implements Outcome {}
  }

  /** The form in which a call may be sent. */
  enum Form {
    /** In one command with other calls of its slot. */
    BATCHED,
    /** In a command of its own. */
    SINGLE,
    /** In a command of its own, to a primary that does not have the slot yet. */
    ASKING
  }

  /** The most attempts. A server has fewer reasons to refuse, so more are not believed. */
  private static final int MOST_SENDS = 5;

  /** {@code Thread.isVirtual}; null before JDK 21. */
  private static final @Nullable MethodHandle IS_VIRTUAL = findIsVirtual();

  private final ScriptCall call;
  private final long dueNanos;
  private final @Nullable Thread thread;
  private final boolean isOnPlatformThread;

  /** Runs when Redis has not run a posted call. */
  private final @Nullable Runnable unsent;

  private final AtomicReference<Stage> stage = new AtomicReference<>(State.QUEUED);
  private volatile Form form;
  private final long givenNanos;
  private int sends;

  /** Creates a call that this thread waits for. */
  PendingCall(ScriptCall call, Form form, Deadline due) {
    this(call, form, due, null);
  }

  /**
   * Creates a call that no thread waits for.
   *
   * @param unsent runs if Redis has not run the call, on the thread that finds out; returns at once
   */
  static PendingCall posted(ScriptCall call, Deadline due, Runnable unsent) {
    return new PendingCall(call, Form.SINGLE, due, unsent);
  }

  private PendingCall(ScriptCall call, Form form, Deadline due, @Nullable Runnable unsent) {
    this.call = call;
    this.form = form;
    dueNanos = due.nanoTime();
    thread = unsent == null ? Thread.currentThread() : null;
    this.unsent = unsent;
    isOnPlatformThread = thread != null && !isVirtual(thread);
    givenNanos = dueNanos - System.nanoTime();
  }

  static boolean isVirtual(Thread thread) {
    if (IS_VIRTUAL == null) {
      return false;
    }
    try {
      return (boolean) IS_VIRTUAL.invokeExact(thread);
    } catch (Throwable e) {
      throw new IllegalStateException("Thread.isVirtual throws nothing", e);
    }
  }

  private static @Nullable MethodHandle findIsVirtual() {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
    } catch (NoSuchMethodException | IllegalAccessException beforeJdk21) {
      return null;
    }
  }

  ScriptCall call() {
    return call;
  }

  /** Returns the reading of {@link System#nanoTime} at which its deadline passes. */
  long dueNanos() {
    return dueNanos;
  }

  Form form() {
    return form;
  }

  /** Returns the time that was left until the deadline when the call was created. */
  long givenNanos() {
    return givenNanos;
  }

  /** Returns whether the thread may use sockets. An interrupt of a virtual thread closes them. */
  boolean isOnPlatformThread() {
    return isOnPlatformThread;
  }

  /** Returns whether no thread waits for it. */
  boolean isPosted() {
    return unsent != null;
  }

  boolean isOver() {
    return stage.get() instanceof Outcome;
  }

  /** Returns the outcome of a call that is over. */
  Outcome outcome() {
    if (stage.get() instanceof Outcome outcome) {
      return outcome;
    }
    throw new IllegalStateException("the call is not over");
  }

  void wake() {
    LockSupport.unpark(thread);
  }

  /**
   * Marks the call as sent. Returns whether it must be sent; false when its thread no longer waits.
   */
  boolean markSent() {
    return stage.compareAndSet(State.QUEUED, State.SENT);
  }

  /**
   * Marks the call as queued again, since Redis has not run it. Returns whether it must be sent
   * again; false when its thread no longer waits, or when it was sent too often.
   */
  boolean requeue(Form newForm) {
    sends++;
    if (sends >= MOST_SENDS) {
      return false;
    }
    form = newForm;
    return stage.compareAndSet(State.SENT, State.QUEUED);
  }

  /** Returns whether it was refused at least twice. */
  boolean isRefusedAgain() {
    return sends > 1;
  }

  /** Sets the outcome of a sent call and wakes its thread. Returns false when it was over. */
  boolean complete(Outcome outcome) {
    return complete(State.SENT, outcome);
  }

  /** Fails a call that will not be sent. Does nothing when it was sent or is over. */
  void refuse(NotSentException why) {
    complete(State.QUEUED, new Outcome.Failed(why));
  }

  private boolean complete(State from, Outcome outcome) {
    if (!stage.compareAndSet(from, outcome)) {
      return false;
    }
    if (unsent != null
        && outcome instanceof Outcome.Failed failed
        && (failed.cause() instanceof JedisRedirectionException
            || NotSentException.isCause(failed.cause()))) {
      unsent.run(); // it is certain that nothing was run
    }
    wake();
    return true;
  }

  /** Ends the call because its thread no longer waits. Returns false when it was over before. */
  boolean abandon() {
    while (!isOver()) { // it may be sent or put back meanwhile
      if (stage.compareAndSet(State.QUEUED, new Outcome.Abandoned(false))
          || stage.compareAndSet(State.SENT, new Outcome.Abandoned(true))) {
        return true;
      }
    }
    return false;
  }

  /**
   * Waits until the call is over, or until another thread wakes this one. Abandons the call when
   * its deadline has passed. A virtual thread waits without a time, see {@link OverdueCalls}. An
   * interrupt ends no wait: the deadline is near, and the decision is the same for every thread.
   * Returns whether the thread was interrupted; the caller sets that again.
   */
  boolean park() {
    long nanos = dueNanos - System.nanoTime();
    if (nanos <= 0) {
      abandon();
      return false;
    }
    if (isOnPlatformThread) {
      LockSupport.parkNanos(this, nanos);
    } else {
      LockSupport.park(this);
    }
    return Thread.interrupted();
  }
}
