package dev.weir.config.internal.document;

import dev.weir.config.ConfigurationException;
import dev.weir.internal.Redaction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Composes one YAML 1.2 document from the parser's events.
 *
 * <p>The library could compose too, but it uses recursion and does not bound the expansion of
 * aliases. Events make the bounds simple: a maximum depth, a maximum number of nodes after
 * expansion, and no tags. An alias names only complete nodes, so that no node contains itself.
 *
 * <p>An error says where the text stops being YAML. For an unclosed quote or brace, it reports
 * where that was opened. YAML detects the missing end only later, often at the end of the file. The
 * parser's full message is not used, because it quotes neighbouring lines, which may contain a
 * secret.
 */
public final class YamlReader {

  static final int DEEPEST = 16;
  static final int MOST_NODES = 100_000;

  private final String file;
  private final String text;
  private final Iterator<Event> events;
  private final Map<Anchor, Anchored> anchors = new HashMap<>();
  private int nodes;
  private final Deque<CollectionStartEvent> open = new ArrayDeque<>();
  private Optional<ScalarEvent> lastQuoted = Optional.empty();

  /** A node that aliases may name, and its number of nodes when expanded. */
  private record Anchored(Node node, int nodes) {}

  private YamlReader(String file, String text) {
    LoadSettings settings = LoadSettings.builder().setLabel(file).setUseMarks(true).build();
    this.file = file;
    this.text = text;
    this.events = new Parse(settings).parseString(text).iterator();
  }

  public static Node read(String file, String text) {
    YamlReader reader = new YamlReader(file, text);
    try {
      return reader.document();
    } catch (MarkedYamlEngineException malformed) {
      throw reader.refused(malformed);
    } catch (YamlEngineException malformed) {
      throw reader.refused(Node.Place.NONE, "text that is not YAML", "YAML 1.2");
    }
  }

  private Node document() {
    Optional<Node> root = Optional.empty();
    while (events.hasNext()) {
      Event event = events.next();
      if (event instanceof NodeEvent start) {
        root = Optional.of(node(start));
      } else if (event instanceof DocumentStartEvent && root.isPresent()) {
        throw refused(event, "a second document", "one document in the file");
      }
    }
    return root.orElseThrow(
        () -> refused(Node.Place.NONE, "nothing", "a configuration with limits and rules"));
  }

  private Node node(NodeEvent start) {
    if (start instanceof AliasEvent alias) {
      return aliased(alias);
    }
    int before = nodes;
    count(1, start);
    Node node =
        start instanceof ScalarEvent scalar
            ? scalar(scalar)
            : collection((CollectionStartEvent) start);
    start.getAnchor().ifPresent(name -> anchors.put(name, new Anchored(node, nodes - before)));
    return node;
  }

  private Node aliased(AliasEvent alias) {
    Anchored anchored = anchors.get(alias.getAlias());
    if (anchored == null) {
      throw refused(alias, "an alias", "an anchor that is complete before its alias");
    }
    count(anchored.nodes, alias);
    return anchored.node;
  }

  private Node scalar(ScalarEvent scalar) {
    refuseTag(scalar, scalar.getTag());
    if (scalar.isDQuoted() || scalar.isSQuoted()) {
      lastQuoted = Optional.of(scalar);
    }
    return new Node.Scalar(place(scalar), scalar.getValue(), !scalar.isPlain());
  }

  private Node collection(CollectionStartEvent start) {
    refuseTag(start, start.getTag());
    open.push(start);
    if (open.size() > DEEPEST) {
      throw refused(start, "nesting", "at most " + DEEPEST + " levels");
    }
    Node collection = start instanceof MappingStartEvent ? mapping(start) : sequence(start);
    open.pop();
    return collection;
  }

  private Node sequence(CollectionStartEvent start) {
    List<Node> items = new ArrayList<>();
    while (events.next() instanceof NodeEvent item) {
      items.add(node(item));
    }
    return new Node.Sequence(place(start), items);
  }

  private Node mapping(CollectionStartEvent start) {
    List<Node.Entry> entries = new ArrayList<>();
    while (events.next() instanceof NodeEvent key) {
      Node name = node(key);
      entries.add(new Node.Entry(name, node((NodeEvent) events.next())));
    }
    return new Node.Mapping(place(start), entries);
  }

  private void count(int more, Event at) {
    nodes += more;
    if (nodes > MOST_NODES) {
      throw refused(at, "too many values", "at most " + MOST_NODES + ", aliases expanded");
    }
  }

  private void refuseTag(Event at, Optional<String> tag) {
    if (tag.isPresent()) {
      throw refused(at, "a tag", "no tags: values are plain text");
    }
  }

  private ConfigurationException refused(MarkedYamlEngineException malformed) {
    Optional<Mark> mark = malformed.getProblemMark().or(malformed::getContextMark);
    if (mark.isEmpty()) {
      return refused(Node.Place.NONE, "text that is not YAML", "YAML 1.2");
    }
    Node.Place place = place(mark.get());
    String line = line(place);
    int at = offset(line, place);
    String found =
        at < line.length()
            ? "character " + Redaction.quoted(Character.toString(line.codePointAt(at)))
            : "the end of the line";
    Optional<String> hint = hint(line, at);
    if (hint.isPresent()) {
      return refused(place, found, hint.get());
    }
    String problem = "YAML 1.2, but " + Redaction.plain(malformed.getProblem());
    return lastQuoted
        .filter(quoted -> runsInto(quoted, place))
        .flatMap(ScalarEvent::getStartMark)
        .map(YamlReader::place)
        .or(() -> enclosing(malformed).filter(opened -> isOpen(opened, mark.get())))
        .map(opened -> unclosed(opened, place))
        .orElseGet(() -> refused(place, found, problem));
  }

  private static Optional<String> hint(String line, int at) {
    if (line.startsWith("\t", at)) {
      return Optional.of("spaces, since YAML is not indented with tabs");
    }
    if (line.startsWith("${", at - 1)) {
      return Optional.of("\"${…}\" in quotes inside { } and [ ]");
    }
    if (at > 0 && line.charAt(at - 1) != ' ' && line.startsWith("{", at)) {
      return Optional.of(
          "quotes around what has { } in it, inside { } and [ ], as in \"/users/{id}\"");
    }
    return Optional.empty();
  }

  /** Returns whether the text ends on the problem's line, after it took another's quote there. */
  private static boolean runsInto(ScalarEvent quoted, Node.Place problem) {
    int begin = quoted.getStartMark().map(Mark::getLine).orElse(0) + 1;
    int end = quoted.getEndMark().map(Mark::getLine).orElse(0) + 1;
    return begin < end && end == problem.line();
  }

  /** Returns where the quote, brace or bracket began that the parser was in. */
  private Optional<Node.Place> enclosing(MarkedYamlEngineException malformed) {
    String context = String.valueOf(malformed.getContext());
    if (context.contains("quoted scalar")) {
      return malformed.getContextMark().map(YamlReader::place);
    }
    return Optional.ofNullable(open.peek())
        .filter(innermost -> context.contains("flow") && innermost.isFlow())
        .flatMap(CollectionStartEvent::getEndMark) // an anchor may precede the brace
        .map(end -> new Node.Place(end.getLine() + 1, end.getColumn()));
  }

  /** Returns whether it began on an earlier line, or the text ends in it. */
  private boolean isOpen(Node.Place opened, Mark problem) {
    boolean isAtEnd = problem.getIndex() >= text.codePointCount(0, text.length());
    return opened.line() <= problem.getLine() || isAtEnd;
  }

  private ConfigurationException unclosed(Node.Place opened, Node.Place problem) {
    String line = line(opened);
    String opening = line.substring(offset(line, opened)).substring(0, 1);
    String closing = opening.equals("{") ? "}" : opening.equals("[") ? "]" : opening;
    return refused(
        opened,
        "a " + opening + " that is not closed",
        closing + " before line " + problem.line() + ", column " + problem.column());
  }

  private String line(Node.Place place) {
    return text.lines().skip(place.line() - 1L).findFirst().orElse("");
  }

  /** Returns the index of the place in its line. Columns count code points. */
  private static int offset(String line, Node.Place place) {
    return line.offsetByCodePoints(
        0, Math.min(place.column() - 1, line.codePointCount(0, line.length())));
  }

  private ConfigurationException refused(Event at, String found, String expected) {
    return refused(place(at), found, expected);
  }

  private ConfigurationException refused(Node.Place place, String found, String expected) {
    return Reading.refused(file, place, "", found, expected);
  }

  private static Node.Place place(Event event) {
    return event.getStartMark().map(YamlReader::place).orElse(Node.Place.NONE);
  }

  private static Node.Place place(Mark mark) {
    return new Node.Place(mark.getLine() + 1, mark.getColumn() + 1);
  }
}
