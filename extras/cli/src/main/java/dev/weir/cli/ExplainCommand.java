package dev.weir.cli;

import dev.weir.cli.Explanation.Part;
import dev.weir.cli.Explanation.Word;
import dev.weir.config.Configuration;
import dev.weir.http.Rule;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.local.LocalLimitStore;
import dev.weir.redis.RedisOptions;
import dev.weir.store.Counter;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** Explains what the application would answer to a request, and charges nothing. */
@picocli.CommandLine.Command(
    name = "explain",
    description = "Explains the answer to a request. Charges nothing.",
    sortOptions = false)
final class ExplainCommand extends Command {

  private static final Duration PATIENCE = Duration.ofSeconds(2);

  @Mixin private final RequestOptions of = new RequestOptions();
  @Mixin private final RedisChoice redis = new RedisChoice();

  ExplainCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int run(Report report) {
    if (source.isStandardInput() && of.reads()) {
      throw Failure.usage(
          "--config", "-", "a file, where standard input has values of the request");
    }
    Configuration configuration = configuration();
    ExplainedRequest request = of.request(configuration.rules(), terminal);
    if (configuration.redis().isEmpty()) {
      try (LocalLimitStore full = LocalLimitStore.of()) {
        Explanation explained = Explanation.of(configuration, request, full, PATIENCE);
        return report(explained, configuration, Optional.empty(), List.of(), report);
      }
    }
    RedisOptions options = redis.peeking(configuration, terminal);
    try (RedisSession session = RedisSession.open(options)) {
      Explanation explained =
          Explanation.of(configuration, request, session.store(), options.deadline());
      List<String> ofNodes = Notes.ofNodes(session).stream().toList();
      return report(explained, configuration, Optional.of(options), ofNodes, report);
    }
  }

  private int report(
      Explanation explained,
      Configuration configuration,
      Optional<RedisOptions> redis,
      List<String> ofNodes,
      Report report) {
    List<List<String>> rows = new ArrayList<>();
    List<Object> rules = new ArrayList<>();
    rows.add(List.of("rule", "decides", "limit", "subject", "left", ""));
    for (Part part : explained.parts()) {
      rows.addAll(rows(part, redis));
      rules.add(json(part, redis));
    }
    if (explained.parts().isEmpty()) {
      report.line("no rule applies");
    } else {
      report.table(rows);
    }
    Answer answer = Answer.of(explained);
    report.line("").line("answer   " + answer.text());
    explained.outcome().fields().stream()
        .filter(field -> explained.delay().isEmpty())
        .forEach(field -> report.line("         " + field.name() + ": " + field.value()));
    String client = client(explained, configuration);
    report.line("client   " + client);
    report.line("charged  nothing");
    List<String> notes = new ArrayList<>(ofNodes);
    notes.addAll(notes(explained, configuration, redis));
    notes.forEach(note -> report.line("note     " + note));
    report
        .put("rules", rules)
        .put("answer", answer.json(explained))
        .put("client", client)
        .put("notes", notes);
    return answer.isDenial() ? Exit.FINDING : Exit.FINE;
  }

  /** Shows the address that counts, unless it may be a value that was read. */
  private String client(Explanation explained, Configuration configuration) {
    String described = configuration.settings().clientAddress().describe(explained.request());
    boolean isGiven = described.startsWith(of.peer + " ");
    return of.hasRead() && !isGiven ? described.substring(described.indexOf('(')) : described;
  }

  private static List<String> notes(
      Explanation explained, Configuration configuration, Optional<RedisOptions> redis) {
    List<String> notes = new ArrayList<>();
    if (redis.isEmpty()) {
      notes.add(
          "without redis in the configuration, each node counts by itself: limits are full here");
    }
    configuration
        .settings()
        .overload()
        .ifPresent(any -> notes.add("overload is not decided: it depends on the node's load"));
    for (Part part : explained.parts()) {
      Rule rule = part.rule();
      rule.subject().kinds().stream()
          .filter(kind -> kind.matches("(attribute|session|class):.*"))
          .forEach(
              kind ->
                  notes.add(
                      "rule "
                          + rule.name()
                          + " counts by "
                          + kind
                          + ", which only the application has: it counts as missing"));
    }
    configuration.settings().functions().keySet().stream()
        .sorted()
        .forEach(
            limit ->
                notes.add(
                    "limit "
                        + limit
                        + " has a class for the numbers of subjects: its own are shown"));
    redis.map(Notes::ofTags).orElse(List.of()).stream()
        .map(note -> note.replaceFirst("note: ", ""))
        .forEach(notes::add);
    return notes;
  }

  private static List<List<String>> rows(Part part, Optional<RedisOptions> redis) {
    List<List<String>> rows = new ArrayList<>();
    String word = word(part);
    for (Verdict verdict : shown(part)) {
      Counter counter = verdict.counter();
      boolean isFirst = rows.isEmpty();
      rows.add(
          List.of(
              isFirst ? part.rule().name() : "",
              isFirst ? word : "",
              counter.name() + ": " + counter.limit(),
              subject(counter, redis),
              verdict.remaining() + " of " + counter.limit().capacity(),
              retry(verdict)));
    }
    return rows.isEmpty() ? List.of(List.of(part.rule().name(), word)) : rows;
  }

  /** Returns the verdicts, without counters of denials that ban nobody. */
  private static List<Verdict> shown(Part part) {
    return part.verdicts().stream()
        .filter(verdict -> !verdict.fits() || !Explanation.isBan(part.rule(), verdict))
        .toList();
  }

  private static String word(Part part) {
    boolean isDenial = part.word() == Word.DENIES;
    return switch (part.rule().kind()) {
      case SHADOW -> isDenial ? "would deny (shadow)" : text(part.word()) + " (shadow)";
      case DEGRADING -> isDenial ? "degrades" : text(part.word());
      case REJECTING -> text(part.word());
    };
  }

  private static String text(Word word) {
    return word.name().toLowerCase(Locale.ROOT);
  }

  private static String subject(Counter counter, Optional<RedisOptions> redis) {
    return counter.subject()
        + redis.map(options -> " " + RedisSession.tag(options, counter)).orElse("");
  }

  private static String retry(Verdict verdict) {
    if (verdict.fits()) {
      return "";
    }
    String fits =
        verdict.retry() instanceof Retry.After after
            ? "fits in " + Words.time(after.time())
            : "never fits";
    return verdict.blockedFor().map(time -> "blocked for " + Words.time(time)).orElse(fits);
  }

  private static Object json(Part part, Optional<RedisOptions> redis) {
    List<Object> limits = new ArrayList<>();
    for (Verdict verdict : shown(part)) {
      Counter counter = verdict.counter();
      limits.add(
          Report.map(
              "limit", counter.name(),
              "numbers", counter.limit().toString(),
              "subject", counter.subject().toString(),
              "tag", redis.map(options -> RedisSession.tag(options, counter)),
              "left", verdict.remaining(),
              "capacity", counter.limit().capacity(),
              "fits", verdict.fits(),
              "blockedForSeconds", verdict.blockedFor().map(Words::seconds),
              "fitsInSeconds",
                  verdict.retry() instanceof Retry.After after
                      ? Optional.of(Words.seconds(after.time()))
                      : Optional.empty()));
    }
    return Report.map(
        "rule", part.rule().name(),
        "kind", part.rule().kind().name().toLowerCase(Locale.ROOT),
        "decides", text(part.word()),
        "limits", limits);
  }

  /** The answer as a whole. */
  private record Answer(String text, boolean isDenial, Optional<Integer> status) {

    static Answer of(Explanation explained) {
      if (explained.delay().isPresent()) {
        return new Answer(
            "waits " + Words.time(explained.delay().get()) + ", then passes",
            false,
            Optional.empty());
      }
      Optional<String> rule = attribute(RequestLimiter.DENIED_RULE, explained);
      Optional<String> degraded = attribute(RequestLimiter.DEGRADED, explained);
      if (explained.outcome() instanceof Outcome.Rejected rejected) {
        String by =
            rule.map(name -> " by rule " + name).orElse("")
                + attribute(RequestLimiter.DENIED_LIMIT, explained)
                    .map(limit -> ", limit " + limit)
                    .orElse("");
        return new Answer(rejected.status() + by, true, Optional.of(rejected.status()));
      }
      String path =
          explained.outcome() instanceof Outcome.Diverted diverted
              ? ", forwarded to " + diverted.path()
              : "";
      return new Answer(
          "passes" + degraded.map(name -> ", degraded by rule " + name).orElse("") + path,
          false,
          Optional.empty());
    }

    private static Optional<String> attribute(String name, Explanation explained) {
      return Optional.ofNullable(explained.request().attribute(name)).map(String::valueOf);
    }

    Object json(Explanation explained) {
      List<Object> fields = new ArrayList<>();
      explained.outcome().fields().stream()
          .filter(field -> explained.delay().isEmpty())
          .forEach(field -> fields.add(Report.map("name", field.name(), "value", field.value())));
      return Report.map(
          "passes", !isDenial,
          "status", status,
          "rule", attribute(RequestLimiter.DENIED_RULE, explained),
          "limit", attribute(RequestLimiter.DENIED_LIMIT, explained),
          "degradedBy", attribute(RequestLimiter.DEGRADED, explained),
          "waitsSeconds", explained.delay().map(Words::seconds),
          "fields", fields);
    }
  }
}
