package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.exceptions.JedisAskDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The calls that passengers of one trip make: one for each slot, all sent before the first reply is
 * read.
 *
 * <p>A call whose script the server does not know, whose keys are in several slots after all, or
 * whose slot is half on its way elsewhere has charged nothing. Such calls are sent once more, all
 * together: in full, apart by slot, each passenger's alone. Alone, since Redis 6 sends a call to
 * where only some of its keys are yet, and the others would begin anew there: so each passenger
 * gets a redirection of his own. Where the whole slot has moved, the passengers are told its new
 * address.
 */
final class Together {

  private static final String SEVERAL_SLOTS = "CROSSSLOT";
  private static final String HALF_A_SLOT = "TRYAGAIN";

  /** In full, apart by slot, each alone: nobody has cause to be sent more often. */
  private static final int MOST_ROUNDS = 4;

  /** Passengers whose keys share a slot, and their call. */
  private record Party(List<Passenger> passengers, @Nullable Batch batch, ScriptCall call) {

    static Party of(List<Passenger> passengers) {
      if (passengers.size() == 1) {
        return new Party(passengers, null, passengers.get(0).call());
      }
      Batch batch = new Batch(passengers.stream().map(Passenger::call).toList());
      return new Party(passengers, batch, batch.call());
    }

    static List<Party> bySlot(List<Passenger> passengers, ToIntFunction<String> slots) {
      Map<Integer, List<Passenger>> bySlot = new LinkedHashMap<>();
      for (Passenger passenger : passengers) {
        int slot = slots.applyAsInt(passenger.call().keys().get(0));
        bySlot.computeIfAbsent(slot, number -> new ArrayList<>()).add(passenger);
      }
      return bySlot.values().stream().map(Party::of).toList();
    }

    List<Party> eachAlone() {
      return passengers.stream().map(passenger -> Party.of(List.of(passenger))).toList();
    }

    void replied(List<Long> reply) {
      if (batch == null) {
        passengers.get(0).replied(reply);
        return;
      }
      List<List<Long>> replies = batch.replies(reply);
      for (int i = 0; i < replies.size(); i++) {
        passengers.get(i).replied(replies.get(i));
      }
    }

    void redirected(JedisRedirectionException elsewhere) {
      passengers.forEach(passenger -> passenger.redirected(elsewhere));
    }
  }

  /** An error that a party has been answered. */
  private record Refusal(Party party, JedisException why) {}

  private final List<Passenger> passengers;
  private final ToIntFunction<String> slots;
  private final List<Refusal> refusals = new ArrayList<>();
  private boolean isAnswered;
  private boolean isInSeveralSlots;

  /**
   * @param slots tells which keys one call may have
   */
  Together(List<Passenger> passengers, ToIntFunction<String> slots) {
    this.passengers = passengers;
    this.slots = slots;
  }

  /**
   * Makes the calls, and tells everybody what has come of his.
   *
   * @param unavailable tells those whose call alone has failed
   * @throws JedisException when the connection has failed, or every call
   */
  Together on(
      RedisConnection connection,
      Deadline due,
      BiFunction<Script, JedisException, StoreUnavailableException> unavailable) {
    List<Party> parties = Party.bySlot(passengers, slots);
    Function<ScriptCall, CommandArguments> form = ScriptCall::byName;
    for (int round = 0; round < MOST_ROUNDS && !parties.isEmpty(); round++) {
      parties = call(parties, form, connection, due);
      form = ScriptCall::inFull;
    }
    if (!isAnswered && !refusals.isEmpty()) {
      throw refusals.get(0).why();
    }
    for (Refusal refusal : refusals) {
      Script script = refusal.party().call().script();
      StoreUnavailableException why = unavailable.apply(script, refusal.why());
      refusal.party().passengers().forEach(passenger -> passenger.failedUnlessTold(why));
    }
    return this;
  }

  /** Whether the server keeps slots apart, as one that is alone does not. */
  boolean isInSeveralSlots() {
    return isInSeveralSlots;
  }

  /** Returns those that are to be sent once more. */
  private List<Party> call(
      List<Party> parties,
      Function<ScriptCall, CommandArguments> form,
      RedisConnection connection,
      Deadline due) {
    List<Party> again = new ArrayList<>();
    List<CommandArguments> calls = parties.stream().map(party -> form.apply(party.call())).toList();
    List<Object> replies = connection.callAll(calls, due);
    for (int i = 0; i < replies.size(); i++) {
      read(parties.get(i), replies.get(i), again);
    }
    return again;
  }

  private void read(Party party, Object reply, List<Party> again) {
    if (reply instanceof JedisNoScriptException) {
      again.add(party);
    } else if (reply instanceof JedisAskDataException && party.batch() != null) {
      again.addAll(party.eachAlone());
    } else if (reply instanceof JedisRedirectionException elsewhere) {
      isAnswered = true;
      party.redirected(elsewhere);
    } else if (reply instanceof JedisException why) {
      refused(party, why, again);
    } else {
      party.replied(party.call().read(reply));
      isAnswered = true;
    }
  }

  private void refused(Party party, JedisException why, List<Party> again) {
    String error = String.valueOf(why.getMessage());
    if (party.batch() != null && error.startsWith(SEVERAL_SLOTS)) {
      isInSeveralSlots = true;
      again.addAll(Party.bySlot(party.passengers(), RedisKeys::slot));
    } else if (party.batch() != null && error.startsWith(HALF_A_SLOT)) {
      again.addAll(party.eachAlone());
    } else {
      refusals.add(new Refusal(party, why));
    }
  }
}
