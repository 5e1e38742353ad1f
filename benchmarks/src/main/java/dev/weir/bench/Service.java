package dev.weir.bench;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process in a session of its own, as a service runs. Linux shares its processors among sessions
 * first ({@code sched_autogroup}). In the session of its client, Redis would be one thread among
 * many. The more threads the client has, the longer it would then wait for a processor.
 */
final class Service {

  private Service() {}

  /** Returns a command that starts it so; the same command where there is no {@code setsid}. */
  static List<String> command(List<String> command) {
    return onPath("setsid")
        .map(setsid -> Stream.concat(Stream.of(setsid), command.stream()).toList())
        .orElse(command);
  }

  /** Returns where the machine has this program. */
  static Optional<String> onPath(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .map(place -> Path.of(place, program))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }
}
