package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.config.ConfigurationException;
import dev.weir.config.ConfigurationException.Problem;
import dev.weir.config.ReadOptions;
import dev.weir.http.Rule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks a configuration as a start would, and connects to nothing. */
@picocli.CommandLine.Command(
    name = "check",
    description = "Checks a configuration. Opens no connection.",
    sortOptions = false)
final class CheckCommand extends Command {

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE|WAR|-",
      description = "The configuration, as --config names it.")
  @Nullable String file;

  @Option(names = "--strict", description = "Exit with 1 for a warning too.")
  boolean isStrict;

  @Option(
      names = "--unset-ok",
      description = "Assume variables that are not set here, and files that are not here.")
  boolean isUnsetOk;

  CheckCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int run(Report report) {
    if (file != null) {
      if (source.config != null) {
        throw Failure.usage("--config", "given with a file", "one of both");
      }
      source.config = file;
    }
    ReadOptions options =
        isUnsetOk ? ReadOptions.STRICT.withAssumedEnvironment() : ReadOptions.STRICT;
    try {
      return checked(source.read(options, terminal), report);
    } catch (ConfigurationException refused) {
      return refused(refused.problems(), report);
    }
  }

  private int checked(Configuration configuration, Report report) {
    List<List<String>> rows = new ArrayList<>();
    configuration.rules().forEach(rule -> rows.add(Words.rule(rule)));
    report.table(rows);
    configuration.warnings().forEach(warning -> report.line("warning  " + warning));
    configuration.notes().forEach(note -> report.line("note     " + note));
    report.line(
        "%s: %s, %s, %s"
            .formatted(
                configuration.name(),
                Words.count(configuration.rules().size(), "rule"),
                Words.count(configuration.warnings().size(), "warning"),
                Words.count(configuration.notes().size(), "note")));
    report
        .put("configuration", configuration.name())
        .put("rules", configuration.rules().stream().map(Rule::name).toList())
        .put("problems", List.of())
        .put("warnings", configuration.warnings())
        .put("notes", configuration.notes());
    return isStrict && !configuration.warnings().isEmpty() ? Exit.FINDING : Exit.FINE;
  }

  private static int refused(List<Problem> problems, Report report) {
    problems.forEach(problem -> report.line("problem  " + problem));
    String name = problems.get(0).file();
    report.line("%s: %s".formatted(name, Words.count(problems.size(), "problem")));
    report
        .put("configuration", name)
        .put("rules", List.of())
        .put("problems", problems.stream().map(CheckCommand::json).toList())
        .put("warnings", List.of())
        .put("notes", List.of());
    return Exit.FINDING;
  }

  private static Object json(Problem problem) {
    return Report.map(
        "file", problem.file(),
        "line", problem.line(),
        "column", problem.column(),
        "field", problem.field(),
        "found", problem.found(),
        "expected", problem.expected(),
        "suggestion", problem.suggestion());
  }
}
