package dev.weir.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The text between the markers: the machine, the software and the time of the run, and the table.
 */
record Report(String redis, Instant began, String command) {

  static Report of(RedisUnderTest redis, Options options) {
    String given = options.redis().map(uri -> ", given").orElse("");
    return new Report(redis.version() + given, Instant.now(), options.command());
  }

  String text(List<Row> rows, List<String> remarks) throws IOException {
    return """

        | measured | |
        |---|---|
        | date | %s, in %d minutes |
        | command | `%s` |
        | machine | %s, %d cores, %s %s |
        | JDK | %s %s |
        | Redis | %s, on the same machine |
        | with | %s |

        %s

        %s
        %s
        """
        .formatted(
            LocalDate.ofInstant(began, ZoneOffset.UTC),
            Duration.between(began, Instant.now()).plusSeconds(30).toMinutes(),
            command,
            processor(),
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            System.getProperty("java.vm.name"),
            System.getProperty("java.runtime.version"),
            redis,
            Libraries.versions(),
            Acceptance.headline(rows),
            Table.of(rows),
            remarks.stream().map(remark -> "- " + remark).collect(Collectors.joining("\n")));
  }

  private static String processor() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(info)) {
      return System.getProperty("os.arch").toLowerCase(Locale.ROOT);
    }
    return Files.readAllLines(info).stream()
        .filter(line -> line.startsWith("model name"))
        .map(line -> line.replaceFirst(".*?:", "").strip())
        .findFirst()
        .orElse(System.getProperty("os.arch"));
  }
}
