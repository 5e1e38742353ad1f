package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.config.ReadOptions;
import dev.weir.http.Rule;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A command: it reads the configuration, and reports as text or as JSON. */
abstract class Command implements Callable<Integer> {

  final Terminal terminal;

  @Mixin final ConfigurationOptions source = new ConfigurationOptions();

  @Option(names = "--json", description = "Print one JSON object instead of text.")
  boolean json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  Command(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Runs the command. Returns its {@link Exit} code. */
  abstract int run(Report report) throws Exception;

  @Override
  public Integer call() throws Exception {
    Report report = new Report();
    int exit = run(report);
    terminal.out().print(json ? report.json() : report.text());
    return exit;
  }

  /** Reads the configuration, whose variables must all be set. */
  Configuration configuration() {
    return source.read(ReadOptions.STRICT, terminal);
  }

  /** Returns the enabled rule of this name. */
  static Rule rule(Configuration configuration, String name) {
    List<String> names = configuration.rules().stream().map(Rule::name).toList();
    return configuration.rules().stream()
        .filter(rule -> rule.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                Failure.usage(
                    "--rule",
                    Redaction.quoted(name),
                    "one of the rules " + Redaction.names(names),
                    Spelling.nearest(name, names)));
  }
}
