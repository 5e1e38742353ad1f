package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.http.Rule;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import dev.weir.redis.RedisOptions;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command that changes counters of one client in Redis, after a confirmation. */
abstract class ChangeCommand extends Command {

  @Mixin final RuleOptions of = new RuleOptions();

  @Option(
      names = "--limit",
      paramLabel = "NAME",
      description = "The limit of the rule, if it has several. That of a ban is ban:RULE.")
  @Nullable String limit;

  @Option(names = "--all", description = "All limits of the rule, and its ban.")
  boolean isAll;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  boolean isConfirmed;

  @Mixin private final RedisChoice redis = new RedisChoice();

  ChangeCommand(Terminal terminal) {
    super(terminal);
  }

  /** Returns what the command does, such as {@code reset}. */
  abstract String verb();

  /** Checks the options, before anything is read. */
  void validate() {}

  /** Returns the change. */
  abstract Adjustment adjustment(Counter counter);

  /** Returns what else an operator has to know. */
  List<String> notes(Configuration configuration, RedisOptions options, List<Verdict> before) {
    return Stream.of(Notes.ofUnused(before, options), Notes.ofOtherNodes(configuration))
        .flatMap(Optional::stream)
        .toList();
  }

  @Override
  final int run(Report report) {
    validate();
    Configuration configuration = configuration();
    Rule rule = of.rule(configuration);
    List<String> names = chosen(rule);
    if (!isConfirmed && !terminal.isInteractive()) {
      throw Failure.usage("--yes", "nothing", "it, where no terminal can ask for a confirmation");
    }
    List<Subject> subjects =
        RuleOptions.subjects(rule, of.values(rule, source, terminal), configuration);
    RedisOptions options = redis.peeking(configuration, terminal);
    List<Counter> counters = new ArrayList<>();
    for (Subject subject : subjects) {
      RuleOptions.counters(rule, subject).stream()
          .filter(counter -> names.contains(counter.name()))
          .forEach(counters::add);
    }
    for (Counter counter : counters) {
      terminal.err().println(plan(counter, options));
    }
    if (!isConfirmed && !terminal.agrees("Do it?")) {
      throw Failure.usage("confirmation", "no", "y");
    }
    return changed(counters, configuration, options, report);
  }

  private String plan(Counter counter, RedisOptions options) {
    return verb()
        + " limit "
        + counter.name()
        + " ("
        + counter.limit()
        + ") of "
        + counter.subject()
        + " "
        + RedisSession.tag(options, counter)
        + " on all nodes";
  }

  private int changed(
      List<Counter> counters, Configuration configuration, RedisOptions options, Report report) {
    List<Object> changes = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    List<Verdict> all = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    try (RedisSession session = RedisSession.open(options)) {
      for (Counter counter : counters) {
        Verdict before = session.peek(counter);
        all.add(before);
        session.adjust(adjustment(counter));
        Verdict after = session.peek(counter);
        rows.add(row(before, after));
        changes.add(
            Report.map(
                "limit", counter.name(),
                "subject", counter.subject().toString(),
                "tag", RedisSession.tag(options, counter),
                "leftBefore", before.remaining(),
                "left", after.remaining(),
                "capacity", counter.limit().capacity(),
                "blockedForSeconds", after.blockedFor().map(Words::seconds)));
      }
      Notes.ofNodes(session).ifPresent(notes::add);
    }
    report.table(rows);
    notes.addAll(notes(configuration, options, all));
    notes.forEach(report::line);
    report.put("change", verb()).put("limits", changes).put("notes", notes);
    return Exit.FINE;
  }

  private List<String> row(Verdict before, Verdict after) {
    Counter counter = after.counter();
    return List.of(
        "limit " + counter.name(),
        "left " + after.remaining() + " of " + counter.limit().capacity(),
        "(was " + before.remaining() + ")",
        after.blockedFor().map(time -> "blocked for " + Words.time(time)).orElse(""));
  }

  private List<String> chosen(Rule rule) {
    Subject any = Subject.global();
    List<String> names =
        RuleOptions.counters(rule, any).stream().map(Counter::name).distinct().toList();
    if (isAll) {
      if (limit != null) {
        throw Failure.usage("--all", "given with --limit", "one of both");
      }
      return names;
    }
    if (limit == null) {
      if (names.size() == 1) {
        return names;
      }
      throw Failure.usage("--limit", "nothing", "one of " + Redaction.names(names) + ", or --all");
    }
    if (!names.contains(limit)) {
      throw Failure.usage(
          "--limit",
          Redaction.quoted(limit),
          "one of " + Redaction.names(names),
          Spelling.nearest(limit, names));
    }
    return List.of(limit);
  }
}
