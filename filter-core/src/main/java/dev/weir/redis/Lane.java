package dev.weir.redis;

import dev.weir.Deadline;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.RedisUri.Host;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The way to one primary: calls are made on its connections, and what they come to is told to its
 * {@link Circuit}. When a primary is out, only its own lane refuses; the others' slots do not
 * suffer.
 *
 * <p>A call is made once. After a time-out nobody knows whether Redis has charged, so nothing is
 * sent again; the caller gives redirections their second address.
 */
final class Lane implements SharedTrips.Way {

  /** Calls a script by a deadline. */
  private interface Caller {
    List<Long> call(ScriptCall call, Deadline due) throws StoreUnavailableException;
  }

  private final Host address;
  private final Reports reports;
  private final Background background;
  private final Pool pool;
  private final Prober prober;
  private final Circuit circuit;
  private final FailureDetector failures;
  private final SharedTrips shared;
  private final Caller decisions;
  private volatile ToIntFunction<String> slots;

  /**
   * @param slots tells which keys one call may have
   * @param probe a call that writes on this primary, null while there is none
   */
  Lane(
      Host address,
      LaneParts parts,
      ToIntFunction<String> slots,
      Function<Lane, @Nullable ScriptCall> probe) {
    this.address = address;
    this.slots = slots;
    reports = parts.reports();
    background = new Background("weir-redis-" + address, 1 + Pool.SIZE, reports.listener());
    Supplier<RedisConnection> opener = () -> parts.connector().open(address);
    pool = new Pool(opener, background);
    prober = new Prober(opener, pool, parts.deadline(), () -> probe.apply(this));
    shared = new SharedTrips(parts.deadline(), this);
    circuit =
        new Circuit(
            address, pool, this::dismiss, background, reports, prober::wrote, parts.onDoubt());
    Silence silence = new Silence(parts.deadline(), background, this::callPatiently);
    failures = new FailureDetector(circuit, silence, pool, reports);
    decisions =
        switch (parts.trips()) {
          case SHARED -> shared::call;
          case ALONE -> this::callAlone;
        };
    background.execute(this::warmUp);
  }

  /**
   * Calls the script, and returns the integers that it replies. Decisions that come while others
   * are on their way leave together.
   *
   * @throws StoreUnavailableException when there is no answer by the deadline, or the breaker is
   *     open
   * @throws JedisRedirectionException when another primary has the slot
   */
  List<Long> call(ScriptCall call, Deadline due) throws StoreUnavailableException {
    refuseWhileOut();
    return call.script().isDecision() ? decisions.call(call, due) : callAlone(call, due);
  }

  private List<Long> callAlone(ScriptCall call, Deadline due) throws StoreUnavailableException {
    return on(due, call.script(), connection -> call.on(connection, due));
  }

  /** The same, for a slot that is on its way to this primary. */
  List<Long> callAsking(ScriptCall call, Deadline due) throws StoreUnavailableException {
    return on(due, call.script(), connection -> call.asking(connection, due));
  }

  @Override
  public void make(List<Passenger> passengers, Deadline due) {
    try {
      if (passengers.size() == 1) {
        Passenger alone = passengers.get(0);
        alone.replied(callAlone(alone.call(), due));
      } else {
        callTogether(passengers, due);
      }
    } catch (StoreUnavailableException why) {
      passengers.forEach(passenger -> passenger.failedUnlessTold(why));
    } catch (JedisRedirectionException elsewhere) {
      passengers.forEach(passenger -> passenger.redirected(elsewhere));
    }
  }

  private void callTogether(List<Passenger> passengers, Deadline due)
      throws StoreUnavailableException {
    Together together =
        on(
            due,
            Script.BATCH,
            connection -> together(passengers).on(connection, due, this::refusal));
    if (together.isInSeveralSlots()) {
      slots = RedisKeys::slot;
    }
  }

  /** Those who are still there as the trip sets out. */
  private Together together(List<Passenger> passengers) {
    long nowNanos = System.nanoTime();
    return new Together(passengers.stream().filter(one -> one.send(nowNanos)).toList(), slots);
  }

  private StoreUnavailableException refusal(Script script, JedisException why) {
    failures.refused(why, script);
    return unavailable(Reports.reason(why), why);
  }

  /** One trip is one call to the breaker, however many share it. */
  private <T> T on(Deadline due, Script script, Function<RedisConnection, T> exchange)
      throws StoreUnavailableException {
    refuseWhileOut();
    RedisConnection connection = taken(due);
    long begunNanos = System.nanoTime();
    try {
      refuseWhileOut();
      refuseIfLate(due);
      T reply = exchange.apply(connection);
      failures.answered();
      return reply;
    } catch (JedisRedirectionException elsewhere) {
      failures.answered();
      throw elsewhere;
    } catch (JedisException e) {
      if (failures.isFailure(e, script)) {
        connection.close();
        failures.failed(e, due, begunNanos);
      }
      throw unavailable(Reports.reason(e), e);
    } finally {
      pool.giveBack(connection);
    }
  }

  /** Asked before and after the wait for a connection: who waits need not find out for himself. */
  private void refuseWhileOut() throws StoreUnavailableException {
    if (!isHealthy()) {
      throw unsent("is out: " + circuit.trouble(), null);
    }
  }

  /** The wait for a connection may have taken all the time there was. */
  private void refuseIfLate(Deadline due) throws StoreUnavailableException {
    if (due.hasPassed()) {
      throw unsent("no time was left to send it", null);
    }
  }

  /**
   * A caller that gives up before his time says nothing about Redis: those who hold the connections
   * find out.
   */
  private RedisConnection taken(Deadline due) throws StoreUnavailableException {
    long begunNanos = System.nanoTime();
    try {
      return pool.take(due, () -> failures.isSilentSince(begunNanos));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unsent("interrupted while waiting for a connection", e);
    } catch (Pool.NoHope e) {
      throw unsent(Reports.reason(e), e);
    } catch (JedisException e) {
      failures.notConnected(e, due, begunNanos);
      throw unsent(Reports.reason(e), e);
    }
  }

  /** For {@link Silence}, which has the time to wait for the reply. */
  private void callPatiently() {
    try {
      @Nullable ScriptCall call = prober.script().get();
      if (call != null) {
        callAlone(call, Deadline.after(prober.deadline()));
      }
    } catch (StoreUnavailableException | JedisRedirectionException answered) {
      // the call itself has counted what it means
    }
  }

  /** Connections are opened before anybody waits for them; without a first one, Redis is out. */
  private void warmUp() {
    try {
      prober.connect();
      pool.fill();
    } catch (JedisException e) {
      refuse(e);
    }
  }

  /**
   * There is nothing to wait for: not for a trip, and where nobody has a reply, not for one either.
   */
  private void dismiss() {
    shared.dismiss();
    if (failures.isSilence()) {
      pool.cut();
    }
  }

  /** Refuses from now on until probes have written: this one error proves that it must. */
  void refuse(JedisException why) {
    circuit.refuse(why);
  }

  Host address() {
    return address;
  }

  boolean isHealthy() {
    return circuit.isHealthy();
  }

  RedisStatus.Primary status() {
    return new RedisStatus.Primary(address.toString(), circuit.status());
  }

  Duration nextProbe() {
    return circuit.nextProbe();
  }

  @Override
  public StoreUnavailableException tooLate(Passenger passenger) {
    boolean wasHealthy = isHealthy();
    failures.unsent(new NoAnswer("no trip began in time"), passenger);
    return unsent(wasHealthy ? "no trip began in time" : "is out: " + circuit.trouble(), null);
  }

  @Override
  public StoreUnavailableException unanswered(Passenger passenger, boolean othersUnderWay) {
    JedisException why = new NoAnswer(whyUnanswered(passenger));
    failures.unanswered(why, passenger, othersUnderWay);
    return unavailable(Reports.reason(why), why);
  }

  private String whyUnanswered(Passenger passenger) {
    return passenger.due().hasPassed() || isHealthy()
        ? "no answer by the deadline"
        : "lost while it was waited for: " + circuit.trouble();
  }

  private StoreUnavailableException unsent(String why, @Nullable Throwable cause) {
    return unavailable(why, new NothingDone(why, cause));
  }

  private StoreUnavailableException unavailable(String why, Throwable cause) {
    return new StoreUnavailableException("redis " + address + ": " + why, nextProbe(), cause);
  }

  /** The primary keeps no slot any more: an outage of it is nobody's. */
  void retire() {
    if (!isHealthy()) {
      reports.left(address.toString());
    }
    close();
  }

  /** Calls under way end by their deadlines; {@link #join} waits for the thread. */
  void close() {
    circuit.close();
    background.close();
    pool.close();
  }

  void join(long millis) throws InterruptedException {
    background.join(millis);
  }
}
