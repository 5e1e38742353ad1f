package dev.weir.bench.load;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.bench.RedisUnderTest;
import dev.weir.bench.Spent;
import dev.weir.bench.load.Load.Outcome;
import dev.weir.bench.peer.Contender;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/**
 * The result of a load, and its cost to Redis and this process.
 *
 * @param spent by Redis, in total
 * @param ownCpuNanos by this process, in total
 */
public record Usage(Outcome outcome, Spent spent, long ownCpuNanos) {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  public static Usage of(Load load, Contender contender, RedisUnderTest redis) throws Exception {
    return of(load, contender, redis::spent);
  }

  /** Measures the same with another source of the cost. */
  public static Usage of(Load load, Contender contender, Supplier<Spent> spending)
      throws Exception {
    Spent before = spending.get();
    long cpuBefore = processCpuNanos();
    Outcome outcome = load.on(contender);
    long cpu = processCpuNanos() - cpuBefore;
    return new Usage(outcome, spending.get().since(before), cpu);
  }

  /** Returns the processor time of this process since it began, over all threads. */
  public static long processCpuNanos() {
    return SYSTEM.getProcessCpuTime();
  }

  /** Does what {@link Outcome#requireAdmitted} does. */
  public Usage requireAdmitted(String name) {
    outcome.requireAdmitted(name);
    return this;
  }

  public double perSecond() {
    return outcome.perSecond();
  }

  public double cpuMicros() {
    return spent.cpuMicros() / outcome.decisions();
  }

  public double ownCpuMicros() {
    return ownCpuNanos / 1e3 / outcome.decisions();
  }

  public double commands() {
    return (double) spent.commands() / outcome.decisions();
  }
}
