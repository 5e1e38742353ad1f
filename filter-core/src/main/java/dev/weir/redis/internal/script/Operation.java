package dev.weir.redis.internal.script;

import java.util.Locale;

/**
 * What a call asks of Redis. It determines the script, the form of the reply, and when the call is
 * sent.
 */
public enum Operation {
  /** One decision that waits for nothing, over any number of counters. A batch carries many. */
  DECIDE(Reply.DECISION, ""),
  /** One decision over one counter, for a request that can wait. */
  WITHIN(Reply.DECISION, "within"),
  /** One decision over one counter, for as many permits as there are. */
  UP_TO(Reply.PARTIAL, "up_to"),
  /** The state of counters, without a charge. */
  PEEK(Reply.DECISION, "peek"),

  /** Takes back the permits that a node has leased of one counter, and makes a new lease. */
  LEASE(Reply.LEASE, "lease"),
  REFUND(Reply.COUNT, "reconcile"),
  RECONCILE(Reply.SETTLED, "reconcile"),
  /** Starts the time to live of held permits again. */
  RENEW(Reply.COUNT, "renew"),
  REWARD(Reply.COUNT, "reward"),
  BLOCK(Reply.COUNT, "block"),
  RESET(Reply.COUNT, "reset"),

  /** Many decisions of one slot. */
  BATCH(Reply.BATCH, ""),
  /** Many decisions of any slots of one primary. */
  ACROSS(Reply.BATCH, ""),

  HEARTBEAT(Reply.NODES, ""),
  LEAVE(Reply.COUNT, "");

  private final Reply reply;
  private final String word;

  /**
   * @param reply the form of the reply
   * @param word the last argument of the script; none if it is empty
   */
  Operation(Reply reply, String word) {
    this.reply = reply;
    this.word = word;
  }

  Reply reply() {
    return reply;
  }

  String word() {
    return word;
  }

  /** Returns the name for messages. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the script for so many keys. */
  Script script(int keys) {
    return switch (this) {
      case DECIDE, WITHIN, UP_TO, PEEK -> keys == 1 ? Script.DECIDE_ONE : Script.DECIDE_ALL;
      case LEASE, REFUND, RECONCILE, RENEW, REWARD, BLOCK, RESET ->
          keys == 1 ? Script.ADJUST_ONE : Script.ADJUST_ALL;
      case BATCH -> Script.BATCH;
      case ACROSS -> Script.ACROSS;
      case HEARTBEAT -> Script.HEARTBEAT;
      case LEAVE -> Script.LEAVE;
    };
  }

  /** Returns whether it charges its counters, so that a grant of it can be refunded. */
  boolean isCharging() {
    return this == DECIDE || this == WITHIN || this == UP_TO;
  }
}
