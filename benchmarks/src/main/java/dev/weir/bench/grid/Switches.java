package dev.weir.bench.grid;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How often each thread of this process has gone to sleep up to a moment: its voluntary context
 * switches. The kernel reports them by thread. So those of a thread that has ended since are lost.
 *
 * @param byThread by the thread's number
 */
record Switches(Map<String, Long> byThread) {

  private static final Path TASKS = Path.of("/proc/self/task");
  private static final String FIELD = "voluntary_ctxt_switches:";

  /** Returns those up to this moment; empty where the machine has no {@code /proc}. */
  static Optional<Switches> now() {
    Map<String, Long> all = new HashMap<>();
    try (Stream<Path> tasks = Files.list(TASKS)) {
      for (Path task : (Iterable<Path>) tasks::iterator) {
        read(task.resolve("status"))
            .ifPresent(status -> all.put(task.getFileName().toString(), of(status)));
      }
      return Optional.of(new Switches(all));
    } catch (IOException | UncheckedIOException none) {
      return Optional.empty();
    }
  }

  /** Returns empty for a thread that has just ended. */
  private static Optional<String> read(Path status) {
    try {
      return Optional.of(Files.readString(status));
    } catch (IOException ended) {
      return Optional.empty();
    }
  }

  static long of(String status) {
    return status
        .lines()
        .filter(line -> line.startsWith(FIELD))
        .mapToLong(line -> Long.parseLong(line.substring(FIELD.length()).strip()))
        .sum();
  }

  /** Returns the switches since then of the threads that exist now. */
  long since(Switches before) {
    return byThread.entrySet().stream()
        .mapToLong(thread -> thread.getValue() - before.byThread.getOrDefault(thread.getKey(), 0L))
        .sum();
  }
}
