package dev.weir.redis.internal.client;

import dev.weir.StoreUnavailableException.Kind;
import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.client.PendingCall.Outcome;
import dev.weir.redis.internal.script.DecisionReply;
import dev.weir.redis.internal.script.Script;
import dev.weir.redis.internal.script.ScriptCall;
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
 * What the replies to a batch mean for its calls.
 *
 * <p>A command is sent again only where the server says that it has run nothing: it does not know
 * the script; the keys are in several slots after all; or their slot is on its way to another
 * primary. In the last case each call is sent alone: Redis 6 would redirect a command of which only
 * some keys have arrived, and the others would begin anew there. Of decisions across slots, only
 * those are sent again, alone, of which a key is elsewhere.
 */
final class BatchReplies {

  private static final String SEVERAL_SLOTS = "CROSSSLOT";
  private static final String MOVING_SLOT = "TRYAGAIN";

  /** A reply to a call for which no thread waits any longer. */
  record Late(ScriptCall call, List<Long> reply) {}

  /** A call, and what came of it. */
  private record Completion(PendingCall call, Outcome outcome) {}

  /** A call that Redis has not run, and how it may be sent again. */
  private record Resend(PendingCall call, Form form, JedisException why) {}

  private final List<Completion> completions = new ArrayList<>();
  private final List<Resend> resends = new ArrayList<>();
  private final List<Script> unknownScripts = new ArrayList<>();

  /** Of each part the error that speaks against the primary, or null. */
  private final List<@Nullable JedisException> failures = new ArrayList<>();

  /** Scripts that the server refuses to run, or a command of which it does, and why. */
  private final Map<Script, JedisException> refused = new LinkedHashMap<>();

  /** Calls that failed, and may have been run or not. */
  private final List<ScriptCall> unknown = new ArrayList<>();

  private boolean hasSlotsApart;

  /**
   * @param replies one for each part of the batch
   * @throws JedisException when no script of ours replies this
   */
  BatchReplies(Batch batch, List<@Nullable Object> replies) {
    for (int i = 0; i < replies.size(); i++) {
      add(batch.parts().get(i), replies.get(i));
    }
  }

  /**
   * Queues the calls again that Redis has not run, but those that were refused too often.
   *
   * @return those to be sent, in their order
   */
  List<PendingCall> requeue() {
    List<PendingCall> unsent = new ArrayList<>();
    for (Resend each : resends) {
      if (each.call().requeue(each.form())) {
        unsent.add(each.call());
      } else {
        NotSentException why =
            new NotSentException("refused again and again", Kind.FAILED, each.why());
        completions.add(new Completion(each.call(), new Outcome.Failed(why)));
      }
    }
    return unsent;
  }

  /** Scripts that the server does not know. */
  List<Script> unknownScripts() {
    return unknownScripts;
  }

  /** Whether the server wants commands whose keys share a slot. */
  boolean hasSlotsApart() {
    return hasSlotsApart;
  }

  /** Of each part the error that speaks against the primary, or null. */
  List<@Nullable JedisException> failures() {
    return failures;
  }

  /** Scripts that the server refuses to run, or a command of which it does, and why. */
  Map<Script, JedisException> refused() {
    return refused;
  }

  /** Calls that failed, and may have been run or not. */
  List<ScriptCall> unknown() {
    return unknown;
  }

  /** Sets the outcome of each call. Returns those for which no thread waits any longer. */
  List<Late> complete() {
    List<Late> late = List.of();
    for (Completion each : completions) {
      if (!each.call().complete(each.outcome())
          && each.outcome() instanceof Outcome.Replied replied) {
        late = late.isEmpty() ? new ArrayList<>() : late;
        late.add(new Late(each.call().call(), replied.integers()));
      }
    }
    return late;
  }

  private void add(SubBatch part, @Nullable Object reply) {
    @Nullable JedisException failure = null;
    if (reply instanceof JedisNoScriptException unknown) {
      unknownScripts.add(part.call().script());
      part.calls().forEach(call -> sendAgain(call, call.form(), unknown));
    } else if (reply instanceof JedisAskDataException ask && part.merged() != null) {
      part.calls().forEach(call -> sendAgain(call, Form.SINGLE, ask));
    } else if (reply instanceof JedisRedirectionException elsewhere) {
      completeAll(part, new Outcome.Redirected(elsewhere));
    } else if (reply instanceof JedisException error) {
      refused(part, error);
      failure = ErrorKind.of(error).countsAgainstPrimary() ? error : null;
    } else {
      List<List<Long>> replies = part.replies(reply);
      for (int i = 0; i < replies.size(); i++) {
        replied(part.calls().get(i), replies.get(i));
      }
    }
    failures.add(failure);
  }

  private void replied(PendingCall call, List<Long> reply) {
    if (DecisionReply.isElsewhere(reply)) {
      sendAgain(call, Form.SINGLE, new JedisDataException("a key of it is elsewhere"));
    } else {
      completions.add(new Completion(call, new Outcome.Replied(reply)));
    }
  }

  private void refused(SubBatch part, JedisException error) {
    String message = String.valueOf(error.getMessage());
    if (part.merged() != null && message.startsWith(SEVERAL_SLOTS)) {
      hasSlotsApart = true;
      part.calls().forEach(call -> sendAgain(call, Form.SINGLE, error));
    } else if (part.merged() != null && message.startsWith(MOVING_SLOT)) {
      part.calls().forEach(call -> sendAgain(call, Form.SINGLE, error));
    } else {
      completeAll(part, new Outcome.Failed(error));
      if (ErrorKind.of(error).isSetup()) {
        refused.put(part.call().script(), error);
      }
      if (ErrorKind.of(error).mayHaveRun()) {
        part.calls().forEach(call -> unknown.add(call.call()));
      }
    }
  }

  private void sendAgain(PendingCall call, Form form, JedisException why) {
    resends.add(new Resend(call, form, why));
  }

  private void completeAll(SubBatch part, Outcome outcome) {
    part.calls().forEach(call -> completions.add(new Completion(call, outcome)));
  }
}
