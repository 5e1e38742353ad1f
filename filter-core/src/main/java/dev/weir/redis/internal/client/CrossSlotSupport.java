package dev.weir.redis.internal.client;

import dev.weir.redis.internal.client.PendingCall.Outcome;
import dev.weir.redis.internal.client.Sharding.Scope;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.List;
import java.util.function.ToIntFunction;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The knowledge which keys one command may have: whether the primary runs one script over keys of
 * several slots, and what {@link Sharding} knows. A check finds out after each loss of a
 * connection, since the next one may lead to another server. After a negative result it is repeated
 * from time to time.
 *
 * <p>The check has a connection of its own, so no reply to it fails another call.
 *
 * <p>One thread at a time checks. All else is thread-safe.
 */
final class CrossSlotSupport {

  private static final long REST_NANOS = 10_000_000_000L;

  private final Host address;
  private final Connector connector;
  private final Sharding sharding;
  private volatile boolean areAllowed;
  private volatile boolean isChecked;

  /** The time of the last check. Used by the thread that checks. */
  private long checkedNanos;

  CrossSlotSupport(Host address, Connector connector) {
    this.address = address;
    this.connector = connector;
    this.sharding = connector.sharding();
  }

  /** Returns the commands for these calls. */
  List<SubBatch> parts(List<PendingCall> calls, ToIntFunction<String> slots) {
    if (sharding.scope() == Scope.ALL_KEYS) {
      return SubBatch.of(calls, slots, areAllowed);
    }
    return calls.stream().map(call -> new SubBatch(List.of(call), null, call.call())).toList();
  }

  /**
   * Marks a call as sent. If it was found meanwhile that its keys are on several servers, it fails:
   * then its counters are decided one by one, as when a slot moves. Returns whether it can be sent.
   */
  boolean send(PendingCall call) {
    if (!call.send()) {
      return false;
    }
    boolean isAllowed = sharding.allows(call.call());
    if (!isAllowed) {
      call.complete(new Outcome.Failed(new JedisDataException("TRYAGAIN on several servers")));
    }
    return isAllowed;
  }

  /**
   * Checks the primary, unless support is known or the last check was recent. Waits for the reply.
   *
   * @param decisions over keys of several of its slots, which always grant
   */
  void check(ScriptCall decisions) {
    long nowNanos = System.nanoTime();
    if (areAllowed || (isChecked && nowNanos - checkedNanos < REST_NANOS)) {
      return;
    }
    isChecked = true;
    checkedNanos = nowNanos;
    CommandArguments question = decisions.inFull();
    try {
      Object reply = connector.with(address, to -> to.call(question, connector.patience()));
      areAllowed = DecisionReply.areGranted(decisions.read(reply));
    } catch (JedisException noGrant) {
      areAllowed = false;
    }
  }

  /** Records that the primary has refused such a script. */
  void forbid() {
    areAllowed = false;
  }

  /** Forgets the result of the check: the next connection may lead to another server. */
  void forget() {
    areAllowed = false;
    isChecked = false;
  }
}
