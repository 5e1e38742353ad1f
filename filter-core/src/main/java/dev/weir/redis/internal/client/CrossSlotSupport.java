package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.List;
import java.util.function.ToIntFunction;
import redis.clients.jedis.CommandArguments;
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
    return sharding.scope() == Sharding.Scope.ALL_KEYS
        ? SubBatch.of(calls, slots, areAllowed)
        : SubBatch.alone(calls);
  }

  /** Checks the primary by these decisions, unless support is known or the last check is recent. */
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
