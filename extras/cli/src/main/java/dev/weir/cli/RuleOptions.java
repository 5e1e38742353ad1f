package dev.weir.cli;

import dev.weir.config.Configuration;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which client of which rule. The rule says what a client is, and the value is read. */
final class RuleOptions {

  @Option(
      names = "--rule",
      required = true,
      paramLabel = "NAME",
      description =
          "The rule that counts the client. Each part of its subject is a line of standard input.")
  @Nullable String rule;

  Rule rule(Configuration configuration) {
    Rule found = Command.rule(configuration, Objects.requireNonNull(rule));
    if (found.limits().isEmpty()) {
      throw Failure.usage(
          "--rule", "'" + rule + "'", "a rule with limits: this one counts nothing");
    }
    return found;
  }

  /** Reads the values of the rule's subject. */
  List<String> values(Rule rule, ConfigurationOptions source, Terminal terminal) {
    List<String> kinds = rule.subject().kinds();
    if (kinds.equals(List.of("global"))) {
      return List.of();
    }
    if (source.isStandardInput()) {
      throw Failure.usage("--config", "-", "a file, where standard input has the client's values");
    }
    return kinds.stream().map(terminal::value).toList();
  }

  /** Returns every subject that these values may be. */
  static List<Subject> subjects(Rule rule, List<String> values, Configuration configuration) {
    try {
      return rule.subject().subjects(values, configuration.settings().clientAddress());
    } catch (IllegalArgumentException refused) {
      throw Failure.usage(
          "subject", "other values", rule.subject() + ", in this order, ip as an address");
    }
  }

  /** Returns the counters of a subject by the rule: that of each limit, and that of its ban. */
  static List<Counter> counters(Rule rule, Subject subject) {
    List<Counter> counters = new ArrayList<>();
    for (NamedLimit limit : rule.limits()) {
      counters.add(new Counter(limit.name(), limit.limit(), subject));
    }
    ban(rule, subject).ifPresent(counters::add);
    return counters;
  }

  static Optional<Counter> ban(Rule rule, Subject subject) {
    return rule.onDenial().ban().map(ban -> ban.counter(rule.name(), subject));
  }
}
