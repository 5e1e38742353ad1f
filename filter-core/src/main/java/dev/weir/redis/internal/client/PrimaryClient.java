package dev.weir.redis.internal.client;

import dev.weir.redis.internal.client.PendingCall.Form;
import dev.weir.redis.internal.script.Operation;
import dev.weir.redis.internal.script.ScriptCall;
import dev.weir.store.Deadline;
import dev.weir.store.StoreUnavailableException;
import dev.weir.store.StoreUnavailableException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * The client of one primary. It has a {@link PipelinedClient} that all calls share, and the {@link
 * CircuitBreaker} of the primary. For few calls at a time it has {@link #MOST_DEDICATED} dedicated
 * connections.
 *
 * <p><b>Which connection.</b> On a shared connection the reading thread wakes the thread with the
 * reply. On its own connection a thread is woken by the kernel, once. So each call has a connection
 * of its own while there are no more calls than connections. More calls share one, because a batch
 * saves Redis more than a thread costs us.
 *
 * <p>Thread-safe.
 */
public final class PrimaryClient {

  /**
   * The number of connections in addition to the shared one. Near Redis, two and three callers make
   * 0.8 and 0.6 times the decisions of naive Lua on a shared connection, and 1.03 on their own.
   * Four callers make 1.06 on a shared one.
   */
  static final int MOST_DEDICATED = 2;

  /** The number of threads. One may wait for a name server, and others for a handshake. */
  private static final int BACKGROUND_THREADS = 4;

  private final Host address;
  private final Reports reports;
  private final Duration deadline;
  private final boolean isBatching;
  private final Background background;
  private final CircuitBreaker circuitBreaker;
  private final PipelinedClient shared;
  private final List<DedicatedClient> dedicated;
  private final AtomicInteger underWay = new AtomicInteger();

  /**
   * @param slots the slot of a key: one command may have keys of one slot
   * @param writes a call that writes on this primary, null while there is none
   */
  public PrimaryClient(
      Host address,
      PrimarySettings settings,
      ToIntFunction<String> slots,
      Supplier<@Nullable ScriptCall> writes) {
    this.address = address;
    reports = settings.reports();
    deadline = settings.deadline();
    isBatching = settings.batching();
    background = new Background("weir-redis-" + address, BACKGROUND_THREADS, reports.listener());
    circuitBreaker = new CircuitBreaker(address, background, reports, settings.onTopologySuspect());
    Primary primary = new Primary(address, settings, circuitBreaker, background);
    shared = new PipelinedClient(address.toString(), primary, slots, circuitBreaker::open);
    dedicated =
        IntStream.rangeClosed(1, MOST_DEDICATED)
            .mapToObj(number -> address + "-" + number)
            .map(name -> new DedicatedClient(name, primary, slots, shared))
            .toList();
    circuitBreaker.start(new Actions(shared, dedicated, writes));
    shared.connection().open();
  }

  /**
   * Calls the script, and returns the integers of its reply.
   *
   * @throws StoreUnavailableException when there is no reply by the deadline, or the primary is
   *     unavailable
   * @throws JedisRedirectionException when another primary has the slot
   */
  public List<Long> call(ScriptCall call, Deadline due) throws StoreUnavailableException {
    int calls = underWay.incrementAndGet();
    try {
      // a single call uses the shared connection, and so does a peek: it comes after posted calls
      boolean areFew = calls > 1 && calls <= MOST_DEDICATED + 1;
      if (areFew && call.operation() != Operation.PEEK && isHealthy() && shared.mayDoIo(due)) {
        for (DedicatedClient own : dedicated) {
          if (own.take()) {
            return own.call(call, due);
          }
        }
      }
      boolean mayBeMerged = isBatching && call.operation() == Operation.DECIDE;
      return shared.call(call, mayBeMerged ? Form.BATCHED : Form.SINGLE, due);
    } catch (StoreUnavailableException e) {
      background.makeUp(); // a probe may lack its thread
      throw counted(e, call);
    } finally {
      underWay.decrementAndGet();
    }
  }

  /**
   * Sends a call that no thread waits for, within the deadline of the store. If it was not run, or
   * if that is unknown, {@link PrimarySettings.UnsettledCalls} are notified.
   */
  public void post(ScriptCall call) {
    background.makeUp();
    shared.post(call, Deadline.after(deadline));
  }

  /** Calls a script as {@link #call} does, for a slot that is moving to this primary. */
  public List<Long> callAsking(ScriptCall call, Deadline due) throws StoreUnavailableException {
    try {
      return shared.call(call, Form.ASKING, due);
    } catch (StoreUnavailableException e) {
      throw counted(e, call);
    }
  }

  /** Fails if this primary is out, before another one decides about a part of the same request. */
  public void requireHealthy() throws StoreUnavailableException {
    if (isHealthy()) {
      return;
    }
    circuitBreaker.decidedWithout();
    throw new StoreUnavailableException("redis " + address + ": is out", nextProbe(), null);
  }

  /** Counts a decision that this primary has not made because it is out. */
  private StoreUnavailableException counted(StoreUnavailableException failure, ScriptCall call) {
    if (failure.kind() == Kind.OUTAGE && call.operation().isDecision()) {
      circuitBreaker.decidedWithout();
    }
    return failure;
  }

  /**
   * Checks for each connection whether one script may have keys of several slots: decisions of
   * {@link Operation#ACROSS}, which always grant. Batches are made accordingly.
   */
  public void tryAcross(ScriptCall decisions) {
    shared.tryAcross(decisions);
  }

  // ---------------------------------------------------------------- health

  /** Opens the breaker at once, because this one error proves that nothing can be decided. */
  public void openBreaker(JedisException why) {
    circuitBreaker.open(why);
  }

  public Host address() {
    return address;
  }

  public boolean isHealthy() {
    return circuitBreaker.isHealthy();
  }

  /** Returns whether it has no connection yet, and no attempt to open one has failed. */
  public boolean isConnecting() {
    return isHealthy() && shared.connection().pipeline() == null;
  }

  public BreakerState breaker() {
    return circuitBreaker.breaker();
  }

  /** Returns why the primary does not decide; empty while it does. */
  public Optional<String> trouble() {
    return isHealthy() ? Optional.empty() : Optional.of(circuitBreaker.trouble());
  }

  /** Returns the number of batches that may be in flight at present; 0 while not connected. */
  public int window() {
    @Nullable Pipeline open = shared.connection().pipeline();
    return open == null ? 0 : open.window().limit();
  }

  /** Returns the shortest round trip to the primary; none while not connected. */
  public Optional<Duration> roundTrip() {
    return Optional.ofNullable(shared.connection().pipeline())
        .map(open -> open.window().baseNanos())
        .filter(nanos -> nanos > 0)
        .map(Duration::ofNanos);
  }

  /** Returns the number of queued calls. */
  public int waiting() {
    return shared.waiting();
  }

  public Duration nextProbe() {
    return circuitBreaker.nextProbe();
  }

  /** Closes the client of a former primary. Its availability no longer matters. */
  public void retire() {
    if (!isHealthy()) {
      reports.retired(address.toString());
    }
    close();
  }

  /** Closes the client. Waiting calls fail at once. */
  public void close() {
    circuitBreaker.close();
    background.close();
    shared.close();
    dedicated.forEach(DedicatedClient::close);
  }

  public void join(long millis) throws InterruptedException {
    background.join(millis);
    shared.join(millis);
    for (DedicatedClient each : dedicated) {
      each.join(millis);
    }
  }

  /** The actions of the breaker on these clients. */
  private record Actions(
      PipelinedClient shared,
      List<DedicatedClient> dedicated,
      Supplier<@Nullable ScriptCall> writes)
      implements CircuitBreaker.Actions {

    @Override
    public boolean probe() {
      @Nullable ScriptCall write = writes.get();
      if (write == null) {
        return false;
      }
      shared.connection().probe(write);
      return true;
    }

    @Override
    public void write() {
      @Nullable ScriptCall write = writes.get();
      if (write != null) {
        shared.connection().write(write);
      }
    }

    @Override
    public void failWaiting() {
      shared.connection().failWaiting();
      dedicated.forEach(DedicatedClient::failWaiting);
    }
  }
}
