package dev.weir.bench.jmh;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * A runner of one benchmark in a process of its own. It is called for each in turn, round after
 * round: JMH itself would run all the rounds of one before the next.
 */
public final class Jmh {

  private static final String LOGGING = "java.util.logging.config.file";
  private static final TimeValue ITERATION = TimeValue.milliseconds(400);

  /**
   * The cost of one decision.
   *
   * @param nanos on one thread
   * @param bytes allocated
   */
  public record Cost(double nanos, double bytes) {}

  private Jmh() {}

  /** Runs one benchmark with these parameters, and with this Redis if it needs one. */
  public static Cost once(
      Class<?> type, String method, Map<String, String> parameters, String redis)
      throws RunnerException {
    var options =
        new OptionsBuilder()
            .include(Pattern.quote(type.getName() + "." + method) + "$")
            .mode(Mode.AverageTime)
            .timeUnit(TimeUnit.NANOSECONDS)
            .forks(1)
            .warmupIterations(8)
            .warmupTime(ITERATION)
            .measurementIterations(3)
            .measurementTime(ITERATION)
            .addProfiler(GCProfiler.class)
            .jvmArgs(
                "-Xms512m", "-Xmx512m", "-D" + LOGGING + "=" + quiet(), "-Dbench.redis=" + redis)
            .verbosity(VerboseMode.SILENT)
            .shouldFailOnError(true);
    parameters.forEach(options::param);
    Collection<RunResult> results = new Runner(options.build()).run();
    RunResult result = results.iterator().next();
    return new Cost(
        result.getPrimaryResult().getScore(),
        Objects.requireNonNull(result.getSecondaryResults().get("gc.alloc.rate.norm")).getScore());
  }

  private static String quiet() {
    return System.getProperty(LOGGING, "");
  }
}
