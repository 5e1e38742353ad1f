package dev.weir.cli;

import dev.weir.store.Adjustment;
import dev.weir.store.Counter;

/** Lifts a block, and gives nothing else back. */
@picocli.CommandLine.Command(
    name = "unblock",
    description = "Lifts the block of a client. What it has used stays used. Asks before.",
    sortOptions = false)
final class UnblockCommand extends ChangeCommand {

  UnblockCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  String verb() {
    return "unblock";
  }

  @Override
  Adjustment adjustment(Counter counter) {
    return new Adjustment.Unblock(counter);
  }
}
