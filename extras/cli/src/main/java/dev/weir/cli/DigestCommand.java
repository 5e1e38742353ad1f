package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.http.Rule;
import dev.weir.redis.RedisOptions;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** Shows by what a client is known: in keys of Redis, and in files of keys. */
@picocli.CommandLine.Command(
    name = "digest",
    description = "Shows the tag of a client, and the SHA-256 of its key. Connects to nothing.",
    sortOptions = false)
final class DigestCommand extends Command {

  @Mixin private final RuleOptions of = new RuleOptions();

  DigestCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int run(Report report) {
    Configuration configuration = configuration();
    Rule rule = of.rule(configuration);
    List<String> values = of.values(rule, source, terminal);
    Optional<RedisOptions> redis = configuration.redis();
    List<List<String>> rows = new ArrayList<>();
    List<Object> tags = new ArrayList<>();
    for (Subject subject : RuleOptions.subjects(rule, values, configuration)) {
      redis.ifPresent(
          options -> {
            String tag = RedisSession.tag(options, RuleOptions.counters(rule, subject).get(0));
            rows.add(List.of("tag", subject.toString(), tag));
            tags.add(Report.map("subject", subject.toString(), "tag", tag));
          });
    }
    List<Object> digests = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      String kind = rule.subject().kinds().get(i);
      String digest = KeyDigest.of(values.get(i)).hex();
      rows.add(List.of("sha256", kind, digest));
      digests.add(Report.map("part", kind, "sha256", digest));
    }
    report.table(rows);
    redis.map(Notes::ofTags).orElse(List.of()).forEach(report::line);
    report.put("rule", rule.name()).put("tags", tags).put("digests", digests);
    return Exit.FINE;
  }
}
