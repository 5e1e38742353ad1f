package dev.weir.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The processor time of the whole machine up to a moment, and of this process with all that it has
 * started: Redis, proxies and forked JVMs. All in ticks of the kernel.
 *
 * @param busy without the time that was stolen
 */
record MachineTime(long busy, long stolen, long all, long own) {

  private static final Path PROC = Path.of("/proc");

  // of the first line of /proc/stat, behind its name
  private static final int IDLE = 3;
  private static final int WAITING = 4;
  private static final int STOLEN = 7;

  // of /proc/PID/stat, behind the name of the command
  private static final int OWN_TIME = 11;
  private static final int TIMES = 4;

  /** Returns the time of this moment; empty where the machine has no {@code /proc}. */
  static Optional<MachineTime> now() {
    try {
      String machine = Files.readString(PROC.resolve("stat"));
      ProcessHandle self = ProcessHandle.current();
      try (Stream<ProcessHandle> children = self.descendants()) {
        long own = Stream.concat(Stream.of(self), children).mapToLong(MachineTime::spent).sum();
        return Optional.of(of(machine, own));
      }
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  static MachineTime of(String machine, long own) {
    List<Long> ticks =
        Stream.of(machine.lines().findFirst().orElse("").split(" +"))
            .skip(1)
            .limit(STOLEN + 1L) // guests' time, which follows, is counted in the first two
            .map(Long::valueOf)
            .toList();
    long all = ticks.stream().mapToLong(Long::longValue).sum();
    long busy = all - ticks.get(IDLE) - ticks.get(WAITING) - ticks.get(STOLEN);
    return new MachineTime(busy, ticks.get(STOLEN), all, own);
  }

  private static long spent(ProcessHandle process) {
    try {
      return spent(Files.readString(PROC.resolve(process.pid() + "/stat")));
    } catch (IOException ended) {
      return 0; // from now on its parent counts it
    }
  }

  /** Returns the process' own time and that of its ended children. */
  static long spent(String process) {
    String[] fields = process.substring(process.lastIndexOf(')') + 2).split(" ", -1);
    long sum = 0;
    for (int i = OWN_TIME; i < OWN_TIME + TIMES; i++) {
      sum += Long.parseLong(fields[i]);
    }
    return sum;
  }

  /** Returns the disturbances since then. */
  Conditions since(MachineTime before, int processors) {
    double time = all - before.all;
    long others = Math.max(0, busy - before.busy - (own - before.own));
    return time == 0
        ? Conditions.UNKNOWN
        : new Conditions(others * processors / time, 100 * (stolen - before.stolen) / time);
  }
}
