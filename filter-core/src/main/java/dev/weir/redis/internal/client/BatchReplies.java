package dev.weir.redis.internal.client;

import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.client.PendingCall.Outcome;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.Script;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.StoreUnavailableException.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The outcomes that the replies to a batch mean for its calls.
 *
 * <p>A command is sent again only if the server says that it has run nothing. There are three
 * reasons: the server does not know the script, the keys are in several slots after all, or their
 * slot is moving to another primary. In the last case each call is sent alone. Redis 6 would
 * redirect a command when only some of its keys have arrived, and the other keys would start anew
 * there. Of decisions in one script, only those that were not made are sent again, alone: a key is
 * elsewhere, or a right is missing.
 */
final class BatchReplies {

  private static final String SEVERAL_SLOTS = "CROSSSLOT";
  private static final String MOVING_SLOT = "TRYAGAIN";

  /** A reply to a call whose caller has given up. */
  record Late(ScriptCall call, List<Long> reply) {}

  /** A call that Redis has not run, and the form in which it may be sent again. */
  private record Resend(PendingCall call, Form form, JedisException why) {}

  private final Map<PendingCall, Outcome> outcomes = new LinkedHashMap<>();
  private final List<Resend> resends = new ArrayList<>();

  /** Scripts that the server does not know. */
  final List<Script> unknownScripts = new ArrayList<>();

  /** For each part that shows how the primary is: the error that counts against it, or null. */
  final List<@Nullable JedisException> health = new ArrayList<>();

  /** Operations whose script, or a command of it, the server refuses to run, and the errors. */
  final Map<Operation, JedisException> refused = new LinkedHashMap<>();

  /** The counters whose decisions have failed for reasons of ours. */
  final List<String> brokenKeys = new ArrayList<>();

  /** Whether Redis has made a decision. */
  boolean hasDecided;

  /** Whether a batch has left out decisions. Their own replies will say why. */
  boolean hasLeftOut;

  /** Failed calls that Redis may have run. */
  final List<ScriptCall> unknown = new ArrayList<>();

  /** Whether the server requires all keys of a command to share a slot. */
  boolean hasSlotsApart;

  BatchReplies(List<SubBatch> parts, List<@Nullable Object> replies) {
    for (int i = 0; i < replies.size(); i++) {
      add(parts.get(i), replies.get(i));
    }
  }

  /**
   * Marks the calls as queued that Redis has not run, and returns them in their order. Calls that
   * were refused too often fail.
   */
  List<PendingCall> requeue() {
    List<PendingCall> unsent = new ArrayList<>();
    for (Resend each : resends) {
      if (each.call().requeue(each.form())) {
        unsent.add(each.call());
      } else {
        NotSentException why =
            new NotSentException("refused again and again", Kind.FAILED, each.why());
        outcomes.put(each.call(), new Outcome.Failed(why));
      }
    }
    return unsent;
  }

  /** Sets the outcome of each call. Returns the replies without a waiting thread. */
  List<Late> complete() {
    List<Late> late = new ArrayList<>();
    outcomes.forEach(
        (call, outcome) -> {
          if (!call.complete(outcome) && outcome instanceof Outcome.Replied replied) {
            late.add(new Late(call.call(), replied.integers()));
          }
        });
    return late;
  }

  private void add(SubBatch part, @Nullable Object reply) {
    if (reply instanceof JedisNoScriptException error) {
      unknownScripts.add(part.call().script());
      part.calls().forEach(call -> resends.add(new Resend(call, call.form(), error)));
      health.add(null);
    } else if (reply instanceof JedisException error && isSplit(part, error)) {
      hasSlotsApart |= hasMessage(error, SEVERAL_SLOTS);
      part.calls().forEach(call -> resends.add(new Resend(call, Form.SINGLE, error)));
      health.add(null);
    } else if (reply instanceof JedisException error) {
      Outcome.Failed failed = new Outcome.Failed(error);
      part.calls().forEach(call -> outcomes.put(call, failed));
      health.add(error instanceof JedisRedirectionException ? null : failed(part, error));
    } else {
      replied(part, part.replies(reply));
    }
  }

  /** Returns whether the error is about the slots of several decisions, and none was run. */
  private static boolean isSplit(SubBatch part, JedisException error) {
    return part.merged() != null
        && (error instanceof JedisAskDataException
            || hasMessage(error, SEVERAL_SLOTS)
            || hasMessage(error, MOVING_SLOT));
  }

  private static boolean hasMessage(JedisException error, String start) {
    return String.valueOf(error.getMessage()).startsWith(start);
  }

  /** Records an error. Returns it if it counts against the primary. */
  private @Nullable JedisException failed(SubBatch part, JedisException error) {
    ErrorKind kind = ErrorKind.of(error);
    if (kind.isSetup()) {
      refused.put(part.call().operation(), error);
    }
    if (kind == ErrorKind.BUG) {
      part.calls().stream()
          .filter(call -> call.call().operation().isCharging())
          .forEach(call -> brokenKeys.addAll(call.call().keys()));
    }
    if (kind.mayHaveRun()) {
      part.calls().forEach(call -> unknown.add(call.call()));
    }
    return kind.countsAgainstPrimary() ? error : null;
  }

  /** A batch whose decisions were all left out is no success: it does not show why. */
  private void replied(SubBatch part, List<List<Long>> replies) {
    boolean isSuccess = false;
    for (int i = 0; i < replies.size(); i++) {
      PendingCall call = part.calls().get(i);
      if (DecisionReply.isElsewhere(replies.get(i))) {
        JedisException why = new JedisDataException("some of its decisions, which are sent alone");
        resends.add(new Resend(call, Form.SINGLE, why));
        hasLeftOut |= part.call().operation() == Operation.BATCH; // its keys are not elsewhere
      } else {
        outcomes.put(call, new Outcome.Replied(replies.get(i)));
        hasDecided |= call.call().operation().isCharging();
        isSuccess = true;
      }
    }
    if (isSuccess) {
      health.add(null);
    }
  }
}
