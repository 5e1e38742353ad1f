package dev.weir.cli;

import dev.weir.config.ConfigurationException;
import dev.weir.internal.JsonText;
import dev.weir.internal.Spelling;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.logging.LogManager;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.OverwrittenOptionException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** The command line of Weir: {@code java -jar weir-cli.jar check weir.yaml}. */
@CommandLine.Command(
    name = "weir",
    versionProvider = WeirCli.Version.class,
    description = "Checks configurations, explains requests, and works with counters in Redis.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 fine, 1 a finding, 2 usage, 3 Redis was not reached.",
      "Values of clients are read from standard input, and never printed."
    })
public final class WeirCli implements Runnable {

  private static final Pattern OPTION_NAME = Pattern.compile("--?[a-z][\\w-]*");

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  boolean version;

  @Spec private CommandSpec spec = CommandSpec.create();

  private WeirCli() {}

  /** Runs one command, and ends with its exit code. */
  public static void main(String[] args) {
    LogManager.getLogManager().reset(); // a command reports by itself
    System.exit(run(args, new Terminal()));
  }

  private static int run(String[] args, Terminal terminal) {
    boolean isJson = Arrays.asList(args).contains("--json");
    CommandLine line = new CommandLine(new WeirCli());
    for (Command command : commands(terminal)) {
      line.addSubcommand(command);
    }
    line.setColorScheme(
        new ColorScheme.Builder(Ansi.AUTO)
            .commands(Ansi.Style.bold)
            .options(Ansi.Style.bold)
            .parameters(Ansi.Style.bold)
            .build());
    line.setParameterExceptionHandler(
        (failed, given) -> end(Exit.USAGE, explained(failed), terminal, isJson));
    line.setExecutionExceptionHandler((failed, command, given) -> ended(failed, terminal, isJson));
    return line.execute(args);
  }

  private static List<Command> commands(Terminal terminal) {
    return List.of(
        new CheckCommand(terminal),
        new ExplainCommand(terminal),
        new DoctorCommand(terminal),
        new InspectCommand(terminal),
        new ResetCommand(terminal),
        new BlockCommand(terminal),
        new UnblockCommand(terminal),
        new RewardCommand(terminal),
        new DigestCommand(terminal));
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "command: nothing (expected: one of " + String.join(", ", names(spec.commandLine())) + ")");
  }

  private static int ended(Exception failed, Terminal terminal, boolean isJson) {
    if (failed instanceof Failure failure) {
      return end(failure.exit(), String.valueOf(failure.getMessage()), terminal, isJson);
    }
    if (failed instanceof ConfigurationException problems) {
      return end(Exit.FINDING, String.valueOf(problems.getMessage()), terminal, isJson);
    }
    // its message may have a value that was read
    return end(Exit.USAGE, "failed: " + failed.getClass().getName(), terminal, isJson);
  }

  private static int end(int exit, String message, Terminal terminal, boolean isJson) {
    if (isJson) {
      terminal.out().println("{\"error\":" + JsonText.quoted(message) + "}");
    } else {
      terminal.err().println(message);
    }
    return exit;
  }

  /** Explains a mistake. It shows at most an option's name: anything else may be a secret. */
  private static String explained(ParameterException failed) {
    CommandLine command = failed.getCommandLine();
    if (failed instanceof UnmatchedArgumentException unmatched) {
      String first = unmatched.getUnmatched().get(0);
      Matcher option = OPTION_NAME.matcher(first);
      if (option.lookingAt()) {
        return unknown("option", option.group(), options(command));
      }
      return command.getSubcommands().isEmpty()
          ? "argument: a text (expected: only the arguments of "
              + command.getCommandName()
              + " --help)"
          : unknown("command", first.matches("[a-z]{1,20}") ? first : "a text", names(command));
    }
    if (failed instanceof MissingParameterException missing) {
      List<String> names = new ArrayList<>();
      missing.getMissing().forEach(it -> names.add(it.isOption() ? name(it) : it.paramLabel()));
      return String.join(", ", names)
          + ": nothing (expected: a value; see "
          + command.getCommandName()
          + " --help)";
    }
    if (failed instanceof OverwrittenOptionException twice) {
      return name(twice.getOverwritten()) + ": given twice (expected: once)";
    }
    return String.valueOf(failed.getMessage());
  }

  private static String unknown(String what, String found, List<String> known) {
    String hint =
        Spelling.nearest(found, known).map(near -> "; did you mean '" + near + "'?").orElse("");
    return what + ": '" + found + "' (expected: one of " + String.join(", ", known) + hint + ")";
  }

  private static List<String> names(CommandLine command) {
    return List.copyOf(command.getSubcommands().keySet());
  }

  private static List<String> options(CommandLine command) {
    return command.getCommandSpec().options().stream().map(WeirCli::name).toList();
  }

  private static String name(CommandLine.Model.ArgSpec argument) {
    return argument instanceof CommandLine.Model.OptionSpec option
        ? option.longestName()
        : argument.paramLabel();
  }

  /** The version of the artifact. */
  static final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
      Properties properties = new Properties();
      try (InputStream in = WeirCli.class.getResourceAsStream("version.properties")) {
        properties.load(Optional.ofNullable(in).orElseThrow());
      }
      return new String[] {"weir " + properties.getProperty("version")};
    }
  }
}
