package dev.weir.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A run of many traces through several versions of Redis. Each is made up once and sent to all, one
 * call for each, while the next is made up.
 */
final class TraceRun {

  private static final int THREADS = 2;

  private final Traces<?> traces;
  private final List<RedisVersion> versions;
  private final AtomicLong steps = new AtomicLong();

  TraceRun(Traces<?> traces, List<RedisVersion> versions) {
    this.traces = traces;
    this.versions = versions;
  }

  /**
   * Returns how many steps each Redis answered correctly.
   *
   * @throws AssertionError with the shortest trace that was not
   */
  long run(long fromSeed, int count) throws InterruptedException {
    AtomicLong next = new AtomicLong(fromSeed);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Callable<Void> worker = () -> work(next, fromSeed + count);
      List<Future<Void>> workers = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        workers.add(threads.submit(worker));
      }
      for (Future<Void> each : workers) {
        each.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError(String.valueOf(e.getCause()), e);
    } finally {
      threads.shutdownNow();
    }
    return steps.get();
  }

  private Void work(AtomicLong next, long end) {
    List<TraceServer> servers = versions.stream().map(TraceServer::of).toList();
    try {
      for (long seed = next.getAndIncrement(); seed < end; seed = next.getAndIncrement()) {
        follow(seed, servers);
      }
    } catch (AssertionError failure) {
      next.set(end);
      throw failure;
    } finally {
      servers.forEach(TraceServer::close);
    }
    return null;
  }

  private void follow(long seed, List<TraceServer> servers) {
    Trace trace = traces.generate(seed);
    servers.forEach(server -> server.send(trace.turns()));
    for (TraceServer server : servers) {
      List<Replied> answers = server.receive(trace.turns());
      try {
        traces.check(trace, answers);
      } catch (AssertionError failure) {
        throw new AssertionError(
            "%s, seed %d, on %s: %s".formatted(traces, seed, server, shortest(trace, server)),
            failure);
      }
    }
    steps.addAndGet(trace.turns().size());
  }

  private String shortest(Trace trace, TraceServer server) {
    List<TraceStep> turns =
        Shrinking.shrunk(trace.turns(), fewer -> failure(fewer, server) != null);
    AssertionError failure = failure(turns, server);
    return failure + System.lineSeparator() + "of " + turns;
  }

  private @Nullable AssertionError failure(List<TraceStep> turns, TraceServer server) {
    try {
      traces.check(traces.replayed(turns), server.run(turns));
      return null;
    } catch (AssertionError failure) {
      return failure;
    }
  }
}
