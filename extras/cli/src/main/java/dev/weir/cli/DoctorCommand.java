package dev.weir.cli;

import dev.weir.cli.Finding.Level;
import dev.weir.config.Configuration;
import dev.weir.http.Rule;
import dev.weir.redis.RedisConsole;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisStatus.Primary;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks for what is wrong with the Redis of a configuration. */
@picocli.CommandLine.Command(
    name = "doctor",
    description = "Looks at the Redis of a configuration. Its keys there expire in seconds.",
    sortOptions = false)
final class DoctorCommand extends Command {

  /** The package whose warnings are findings. It is kept, or its handlers might be lost. */
  private static final Logger LIBRARY = Logger.getLogger("dev.weir");

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE|WAR|-",
      description = "The configuration, as --config names it.")
  @Nullable String file;

  @Option(names = "--strict", description = "Exit with 1 for a warning too.")
  boolean isStrict;

  @Mixin private final RedisChoice redis = new RedisChoice();

  DoctorCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int run(Report report) throws StoreUnavailableException {
    if (file != null) {
      source.config = file;
    }
    Configuration configuration = configuration();
    RedisOptions options = redis.options(configuration, terminal);
    Duration deadline =
        configuration.redis().map(RedisOptions::deadline).orElse(options.deadline());
    Warnings warnings = new Warnings();
    LIBRARY.addHandler(warnings);
    List<Finding> findings = new ArrayList<>();
    try (RedisSession session = RedisSession.open(options)) {
      findings.add(topology(options, session.primaries()));
      for (Primary primary : session.primaries()) {
        try (RedisConsole console = session.console(primary.address())) {
          findings.addAll(new ServerCheck(console, options, deadline).findings());
        }
      }
      nodes(session, configuration).ifPresent(findings::add);
    } catch (StoreUnavailableException gone) {
      throw Failure.notReached(gone);
    } finally {
      LIBRARY.removeHandler(warnings);
    }
    findings.addAll(warnings.findings());
    secret(configuration, options).ifPresent(findings::add);
    findings.forEach(finding -> finding.lines().forEach(report::line));
    report.put("findings", findings.stream().map(Finding::json).toList());
    Level worst = findings.stream().map(Finding::level).max(Level::compareTo).orElse(Level.OK);
    return worst == Level.FAIL || (isStrict && worst == Level.WARN) ? Exit.FINDING : Exit.FINE;
  }

  private static Finding topology(RedisOptions options, List<Primary> primaries) {
    String where = options.location();
    String kind =
        where.contains("-cluster")
            ? "Cluster"
            : where.contains("-sentinel") ? "Sentinel" : "one server";
    return Finding.ok(
        "%s, %s: %s"
            .formatted(where, kind, Words.count(primaries.size(), "primary").replace("ys", "ies")));
  }

  private static Optional<Finding> nodes(RedisSession session, Configuration configuration)
      throws StoreUnavailableException {
    int live = session.liveNodes().orElse(0); // a missing right is found too
    String text = Words.count(live, "live node");
    if (live == 0) {
      return Optional.of(
          Finding.warning(
              "no live node of application " + session.options().application(),
              "the application's name and its Redis, if the application runs",
              "docs/troubleshooting.md#redis-is-never-used"));
    }
    return Optional.of(
        configuration.nodes().filter(number -> number != live).isEmpty()
            ? Finding.ok(text)
            : Finding.warning(
                text + ", but nodes: " + configuration.nodes().get(),
                "the number of nodes as 'nodes': it is each node's share in an outage",
                "docs/troubleshooting.md#nodes-is-not-set"));
  }

  private static Optional<Finding> secret(Configuration configuration, RedisOptions options) {
    List<String> names =
        configuration.rules().stream()
            .filter(rule -> !rule.limits().isEmpty())
            .filter(rule -> !rule.subject().kinds().equals(List.of("global")))
            .map(Rule::name)
            .toList();
    return options.hasSecret() || names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.warning(
                "no secret: what rule " + names.get(0) + " counts by can be guessed from its keys",
                "secret: ${WEIR_SECRET} under redis, as 'openssl rand -base64 32' makes; all"
                    + " counters start anew",
                "docs/redis.md#keys"));
  }

  /** What the library warns of while it connects. */
  private static final class Warnings extends Handler {

    private static final SimpleFormatter FORMAT = new SimpleFormatter();

    /** Parts of warnings of what the command checks itself. */
    private static final List<String> CHECKED =
        List.of("maxmemory-policy", "the clock of Redis is", "has no TLS, and its address");

    private final List<String> messages = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogRecord record) {
      if (record.getLevel().intValue() >= java.util.logging.Level.WARNING.intValue()) {
        messages.add(FORMAT.formatMessage(record));
      }
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    List<Finding> findings() {
      return messages.stream()
          .distinct()
          .filter(message -> CHECKED.stream().noneMatch(message::contains))
          .map(
              message ->
                  Finding.warning(
                      message,
                      "the entry of this line in the log",
                      "docs/troubleshooting.md#redis"))
          .toList();
    }
  }
}
