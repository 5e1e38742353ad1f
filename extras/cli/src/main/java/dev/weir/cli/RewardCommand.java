package dev.weir.cli;

import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import picocli.CommandLine.Option;

/** Gives permits back. */
@picocli.CommandLine.Command(
    name = "reward",
    description = "Gives a client permits back, but no more than it has used. Asks before.",
    sortOptions = false)
final class RewardCommand extends ChangeCommand {

  @Option(
      names = "--permits",
      required = true,
      paramLabel = "NUMBER",
      description = "How many permits, at least 1.")
  long permits;

  RewardCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  String verb() {
    return "give back " + permits + " of";
  }

  @Override
  void validate() {
    if (permits < 1) {
      throw Failure.usage("--permits", Long.toString(permits), "> 0");
    }
  }

  @Override
  Adjustment adjustment(Counter counter) {
    return new Adjustment.Reward(counter, permits);
  }
}
