package dev.weir.redis;

import dev.weir.Deadline;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Tells from how calls end whether a primary has failed, and tells its {@link Circuit}. A reply
 * speaks for it, even one that says no or that our own script is wrong; a caller in haste says
 * nothing, one way or the other.
 *
 * <p>Thread-safe.
 */
final class FailureDetector {

  private final Circuit circuit;
  private final Silence silence;
  private final Pool pool;
  private final Reports reports;

  FailureDetector(Circuit circuit, Silence silence, Pool pool, Reports reports) {
    this.circuit = circuit;
    this.silence = silence;
    this.pool = pool;
    this.reports = reports;
  }

  /** A call has had its reply. */
  void answered() {
    silence.broken();
    circuit.succeeded();
  }

  /** Whether an error speaks against the primary. A bug of ours is reported. */
  boolean isFailure(JedisException error, Script script) {
    boolean isFailure =
        switch (ErrorKind.of(error)) {
          case PASSING, BUG -> false;
          case OUTAGE, DEMOTED, SETUP -> true;
        };
    if (!isFailure) {
      silence.broken();
      refused(error, script);
    }
    return isFailure;
  }

  /** A call has failed, and others of the same trip have not: a bug of ours is reported. */
  void refused(JedisException error, Script script) {
    if (ErrorKind.of(error) == ErrorKind.BUG) {
      reports.bug(script.name(), error);
    }
  }

  /** A call has failed that had begun then. */
  void failed(JedisException why, Deadline due, long begunNanos) {
    if (silence.isHaste(due, begunNanos)) {
      silence.doubt();
      return;
    }
    if (silence.lastsSince(begunNanos)) {
      pool.clear();
    }
    circuit.failed(why);
  }

  /** A caller has waited for a connection in vain: that counts if nobody had a reply meanwhile. */
  void notConnected(JedisException why, Deadline due, long begunNanos) {
    if (circuit.isHealthy() && isSilentSince(begunNanos)) {
      failed(why, due, begunNanos);
    }
  }

  /**
   * A passenger was sent, and has waited in vain: that counts if other trips are under way, each on
   * a connection of its own, and nobody had a reply meanwhile.
   */
  void unanswered(JedisException why, Passenger passenger, boolean othersUnderWay) {
    if (silence.isHaste(passenger.due(), passenger.sentNanos())) {
      silence.doubt();
    } else if (othersUnderWay && isSilence(passenger, passenger.sentNanos())) {
      circuit.unanswered(why);
    }
  }

  /**
   * A passenger's time is over, and no trip has set out with him: that counts if calls are under
   * way, whose callers may be more patient than he was, and nobody had a reply meanwhile.
   */
  void unsent(JedisException why, Passenger passenger) {
    Deadline due = passenger.due();
    if (!due.hasPassed() || !pool.isBusy()) {
      return;
    }
    if (silence.isHaste(due, passenger.comeNanos())) {
      silence.doubt();
    } else if (isSilence(passenger, passenger.comeNanos())) {
      circuit.unanswered(why);
    }
  }

  /** Where he has overslept, so may the whole node have, and nobody has read the replies yet. */
  private boolean isSilence(Passenger passenger, long sinceNanos) {
    return !passenger.hasOverslept() && isSilentSince(sinceNanos);
  }

  /** Whether nobody has had a reply for a while. */
  boolean isSilence() {
    return silence.lasts();
  }

  /** Whether nobody has had a reply since then. */
  boolean isSilentSince(long nanos) {
    return silence.lastsSince(nanos);
  }
}
