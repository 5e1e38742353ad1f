package dev.weir.bench.load;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.bench.RedisUnderTest;
import dev.weir.bench.Spent;
import dev.weir.bench.load.Load.Outcome;
import dev.weir.bench.peer.Contender;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/**
 * What a load came to, and what it has cost Redis and this process.
 *
 * @param spent by Redis, all told
 * @param ownCpuNanos by this process, all told
 */
public record Usage(Outcome outcome, Spent spent, long ownCpuNanos) {

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  public static Usage of(Load load, Contender contender, RedisUnderTest redis) throws Exception {
    return of(load, contender, redis::spent);
  }

  /** The same, where this tells what has been spent. */
  public static Usage of(Load load, Contender contender, Supplier<Spent> spending)
      throws Exception {
    Spent before = spending.get();
    long cpuBefore = processCpuNanos();
    Outcome outcome = load.on(contender);
    long cpu = processCpuNanos() - cpuBefore;
    return new Usage(outcome, spending.get().since(before), cpu);
  }

  /** What this process has taken since it began, all of its threads. */
  public static long processCpuNanos() {
    return SYSTEM.getProcessCpuTime();
  }

  /** As {@link Outcome#requireAdmitted} says. */
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
