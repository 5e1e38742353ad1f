package dev.weir.config.internal.read;

import dev.weir.config.ConfigurationException;
import dev.weir.config.RuleReference;
import dev.weir.config.internal.document.Node;
import dev.weir.config.internal.document.Reading;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.document.Variables;
import dev.weir.http.Rule;
import dev.weir.internal.Redaction;
import dev.weir.internal.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** Finds or makes the rule that an annotation refers to. */
public final class ReferenceReader {

  private static final String FIELD = "annotation";

  private final Settings settings;
  private final Variables variables;
  private final ClassLoader classLoader;
  private final Map<String, Rule> rules = new LinkedHashMap<>();
  private final Map<String, InPlace> inPlace = new ConcurrentHashMap<>();

  /** A limit that is named after a place, and the annotation that defines it there. */
  private record InPlace(Rule.NamedLimit limit, String origin) {}

  public ReferenceReader(Settings settings, Variables variables, ClassLoader classLoader) {
    this.settings = settings;
    this.variables = variables;
    this.classLoader = classLoader;
    settings.rules().enabled().forEach(rule -> rules.put(rule.name(), rule));
  }

  /**
   * Returns the rule, or empty when it is disabled.
   *
   * @throws ConfigurationException when there is no such rule or limit, or the reference
   *     contradicts it
   */
  public Optional<Rule> read(RuleReference reference) {
    Reading reading = new Reading(reference.place(), variables, classLoader, path -> FIELD);
    boolean isRule =
        rules.containsKey(reference.limit())
            || settings.rules().disabled().contains(reference.limit());
    Optional<Rule> rule = isRule ? named(reference, reading) : made(reference, reading);
    reading.throwIfAny();
    return rule;
  }

  private Optional<Rule> named(RuleReference reference, Reading reading) {
    if (!reference.subject().isEmpty() || reference.cost().isPresent()) {
      reading.problem(
          Node.Place.NONE,
          FIELD,
          "a subject or cost together with rule " + Redaction.quoted(reference.limit()),
          "neither, for the rule has its own");
    }
    return Optional.ofNullable(rules.get(reference.limit()));
  }

  private Optional<Rule> made(RuleReference reference, Reading reading) {
    Value value = new Value(reading, FIELD, Node.of(reference.limit()));
    if (value.text("the name of a rule or limit, or a limit such as '5 per minute'").isEmpty()) {
      return Optional.empty();
    }
    if (!settings.limits().byName().containsKey(reference.limit())
        && !LimitsReader.isInPlace(reference.limit())) {
      TreeSet<String> all = new TreeSet<>(rules.keySet());
      all.addAll(settings.limits().byName().keySet());
      value.problem(
          value.found(),
          "a rule or limit of %s (%s), or a limit in place such as '5 per minute'"
              .formatted(settings.name(), Redaction.names(all)),
          Spelling.nearest(reference.limit(), all));
      return Optional.empty();
    }
    // those in place too, because no other limit may have the same name
    List<Rule.NamedLimit> known = new ArrayList<>(settings.limits().byName().values());
    settings.rules().enabled().forEach(rule -> known.addAll(rule.limits()));
    KeyFileReader files = new KeyFileReader();
    RulesReader reader =
        new RulesReader(
            new LimitsReader(known, settings.limits().inBytes()),
            new TiersReader(files, false),
            files,
            settings.requests().paths(),
            settings.rules().onOutage(),
            settings.requests().responses().denied());
    reader.readRule(new Value(reading, FIELD, rule(reference)));
    Optional<Rule> rule =
        reader.rules().stream()
            .filter(made -> RulesReader.isApart(made, settings.rules().written(), value))
            .map(settings.rules()::deciding)
            .findFirst();
    if (!settings.limits().byName().containsKey(reference.limit())) {
      rule.ifPresent(made -> made.limits().forEach(limit -> claim(limit, reference, value)));
    }
    return rule;
  }

  /**
   * Reserves the name of a limit in place. Overloaded methods, and classes of one name in two
   * packages, are one place. Two limits there would share their counters.
   */
  private void claim(Rule.NamedLimit limit, RuleReference reference, Value value) {
    InPlace claimed = new InPlace(limit, reference.origin());
    InPlace known = inPlace.putIfAbsent(limit.name(), claimed);
    if (known == null || known.equals(claimed)) {
      return;
    }
    value.problem(
        value.found() + " of " + reference.origin(),
        "the name of a limit of %s, or one with a name of its own, for '%s' of %s is called %s"
            .formatted(
                settings.name(),
                known.limit().limit(),
                known.origin(),
                Redaction.quoted(limit.name())));
  }

  private static Node rule(RuleReference reference) {
    List<Node.Entry> entries = new ArrayList<>();
    entries.add(Node.Entry.of("name", Node.of(reference.place())));
    entries.add(Node.Entry.of("match", Node.of(RulesReader.ANNOTATIONS)));
    entries.add(Node.Entry.of("limits", Node.of(reference.limit())));
    if (!reference.subject().isEmpty()) {
      List<Node> parts = reference.subject().stream().map(Node::of).toList();
      entries.add(Node.Entry.of("subject", Node.of(parts)));
    }
    reference
        .cost()
        .ifPresent(cost -> entries.add(Node.Entry.of("cost", Node.of(Long.toString(cost)))));
    return Node.ofEntries(entries);
  }
}
