package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.http.ClientPolicy;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spans;
import dev.weir.redis.RedisOptions;
import dev.weir.store.Adjustment;
import dev.weir.store.Counter;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Denies everything of a client for a time. */
@picocli.CommandLine.Command(
    name = "block",
    description = "Denies a client for a time, whatever it has left. Asks before.",
    sortOptions = false)
final class BlockCommand extends ChangeCommand {

  @Option(
      names = "--for",
      required = true,
      paramLabel = "TIME",
      description = "How long, such as 30s, 15m or 2h; 366 days at most.")
  @Nullable String time;

  BlockCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  String verb() {
    return "block for " + Spans.printCounted(duration());
  }

  @Override
  void validate() {
    Duration unused = duration();
  }

  private Duration duration() {
    String text = Objects.requireNonNull(time);
    Duration length =
        Spans.parse(text)
            .orElseThrow(
                () ->
                    Failure.usage(
                        "--for",
                        Redaction.quoted(text),
                        "a length of time with its unit, such as 1h"));
    try {
      Spans.validate("--for", length);
    } catch (IllegalArgumentException outOfRange) {
      throw Failure.usage("--for", Redaction.quoted(text), "more than 0, at most 366 days");
    }
    return length;
  }

  @Override
  Adjustment adjustment(Counter counter) {
    return new Adjustment.Block(counter, duration());
  }

  @Override
  List<String> notes(Configuration configuration, RedisOptions options, List<Verdict> before) {
    List<String> notes = new ArrayList<>();
    ClientPolicy clients = of.rule(configuration).clients();
    if (!isAll && (!clients.overrides().isEmpty() || clients.tiers().isPresent())) {
      notes.add("Only this limit is blocked: clients of overrides and tiers have others (--all).");
    }
    notes.add("A block that ends later is kept.");
    notes.add(
        "While Redis is out, no node knows of it, and a Redis that loses its data forgets it: a deny"
            + " list in the configuration holds then too (weir digest).");
    return notes;
  }
}
