package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.ScriptCall;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Whether the primary runs one script over keys of several slots. It is asked after each loss of a
 * connection, since the next one may lead to another server, and while it does not, again from time
 * to time.
 *
 * <p>It is asked on a connection of its own: a reply of any kind fails no other call.
 *
 * <p>One thread at a time asks. All else is thread-safe.
 */
final class CrossSlotSupport {

  private static final long REST_NANOS = 10_000_000_000L;

  private final Host address;
  private final Connector connector;
  private volatile boolean areAllowed;
  private volatile boolean isAsked;

  /** When. Used by the thread that asks. */
  private long askedNanos;

  CrossSlotSupport(Host address, Connector connector) {
    this.address = address;
    this.connector = connector;
  }

  /** Whether such scripts may be sent. */
  boolean areAllowed() {
    return areAllowed;
  }

  /**
   * Asks the primary, unless it is known or was asked just now. Waits for the reply.
   *
   * @param decisions over keys of several of its slots, which are allowed
   */
  void ask(ScriptCall decisions) {
    long nowNanos = System.nanoTime();
    if (areAllowed || (isAsked && nowNanos - askedNanos < REST_NANOS)) {
      return;
    }
    isAsked = true;
    askedNanos = nowNanos;
    areAllowed = runs(decisions);
  }

  private boolean runs(ScriptCall decisions) {
    List<CommandArguments> question = List.of(decisions.inFull());
    try {
      @Nullable Object reply =
          connector.with(address, to -> to.callAll(question, connector.patience())).get(0);
      return DecisionReply.areGranted(decisions.read(reply));
    } catch (JedisException notAnswered) {
      return false;
    }
  }

  /** The primary has refused one: the next are sent slot by slot. */
  void forbid() {
    areAllowed = false;
  }

  /** A connection was lost: the next may lead to another server. */
  void forget() {
    areAllowed = false;
    isAsked = false;
  }
}
