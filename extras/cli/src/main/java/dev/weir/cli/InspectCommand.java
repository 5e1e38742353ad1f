package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.http.Rule;
import dev.weir.redis.RedisOptions;
import dev.weir.store.Counter;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** Shows what Redis has of one client. */
@picocli.CommandLine.Command(
    name = "inspect",
    description = "Shows the counters of a client. Changes nothing.",
    sortOptions = false)
final class InspectCommand extends Command {

  @Mixin private final RuleOptions of = new RuleOptions();
  @Mixin private final RedisChoice redis = new RedisChoice();

  InspectCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int run(Report report) {
    Configuration configuration = configuration();
    Rule rule = of.rule(configuration);
    List<Subject> subjects =
        RuleOptions.subjects(rule, of.values(rule, source, terminal), configuration);
    RedisOptions options = redis.peeking(configuration, terminal);
    List<Object> all = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    try (RedisSession session = RedisSession.open(options)) {
      for (Subject subject : subjects) {
        List<List<String>> rows = new ArrayList<>();
        List<Object> limits = new ArrayList<>();
        List<Verdict> states = new ArrayList<>();
        for (Counter counter : RuleOptions.counters(rule, subject)) {
          Verdict state = session.peek(counter);
          states.add(state);
          Optional<Duration> expiry = session.expiry(counter);
          rows.add(row(state, expiry));
          limits.add(json(state, expiry));
        }
        String tag = RedisSession.tag(options, RuleOptions.counters(rule, subject).get(0));
        report.line(subject + " " + tag).table(rows);
        all.add(Report.map("subject", subject.toString(), "tag", tag, "limits", limits));
        Notes.ofUnused(states, options).ifPresent(notes::add);
      }
      Notes.ofNodes(session).ifPresent(notes::add);
    }
    notes.addAll(Notes.ofTags(options));
    notes.forEach(report::line);
    report.put("rule", rule.name()).put("subjects", all).put("notes", notes);
    return Exit.FINE;
  }

  private static List<String> row(Verdict state, Optional<Duration> expiry) {
    Counter counter = state.counter();
    return List.of(
        "  " + counter.name(),
        Words.algorithm(counter.limit()),
        "left " + state.remaining() + " of " + counter.limit().capacity(),
        state.resetAfterNanos() == 0 ? "full" : "full in " + Words.time(state.resetAfter()),
        expiry.map(time -> "key expires in " + Words.time(time)).orElse("no key"),
        state.blockedFor().map(time -> "blocked for " + Words.time(time)).orElse("not blocked"));
  }

  private static Object json(Verdict state, Optional<Duration> expiry) {
    return Report.map(
        "limit", state.counter().name(),
        "kind", Words.algorithm(state.counter().limit()),
        "left", state.remaining(),
        "capacity", state.counter().limit().capacity(),
        "fullInSeconds", Words.seconds(state.resetAfter()),
        "keyExpiresInSeconds", expiry.map(Words::seconds),
        "blockedForSeconds", state.blockedFor().map(Words::seconds));
  }
}
