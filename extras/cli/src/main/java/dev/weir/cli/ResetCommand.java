package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.redis.RedisOptions;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Decision.Verdict;
import java.util.ArrayList;
import java.util.List;

/** Gives a client the whole of its limits again. */
@picocli.CommandLine.Command(
    name = "reset",
    description = "Forgets what a client has used, and its block. Asks before.",
    sortOptions = false)
final class ResetCommand extends ChangeCommand {

  ResetCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  String verb() {
    return "reset";
  }

  @Override
  Adjustment adjustment(Counter counter) {
    return new Adjustment.Reset(counter);
  }

  @Override
  List<String> notes(Configuration configuration, RedisOptions options, List<Verdict> before) {
    List<String> notes = new ArrayList<>(super.notes(configuration, options, before));
    if (before.stream().anyMatch(state -> state.counter().limit().algorithm().isHeld())) {
      notes.add("Requests that hold permits now are forgotten: others may run beside them.");
    }
    return notes;
  }
}
