package dev.weir.config.internal.document;

import dev.weir.config.ConfigurationException;
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
 */
public final class YamlReader {

  static final int DEEPEST = 16;
  static final int MOST_NODES = 100_000;

  private final String file;
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
    this.events = new Parse(settings).parseString(text).iterator();
  }

  public static Node read(String file, String text) {
    YamlReader reader = new YamlReader(file, text);
    try {
      return reader.document();
    } catch (MarkedYamlEngineException malformed) {
      throw SyntaxProblem.of(file, text, malformed, reader.lastQuoted, reader.lastBracket());
    } catch (YamlEngineException malformed) {
      throw Reading.refused(file, Node.Place.NONE, "", "text that is not YAML", "YAML 1.2");
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
        () ->
            Reading.refused(
                file, Node.Place.NONE, "", "nothing", "a configuration with limits and rules"));
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

  /** Returns the innermost brace or bracket that is not closed. An anchor may precede it. */
  private Optional<Node.Place> lastBracket() {
    return Optional.ofNullable(open.peek())
        .filter(CollectionStartEvent::isFlow)
        .flatMap(CollectionStartEvent::getEndMark)
        .map(end -> new Node.Place(end.getLine() + 1, end.getColumn()));
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

  private ConfigurationException refused(Event at, String found, String expected) {
    return Reading.refused(file, place(at), "", found, expected);
  }

  private static Node.Place place(Event event) {
    return event.getStartMark().map(YamlReader::place).orElse(Node.Place.NONE);
  }

  static Node.Place place(Mark mark) {
    return new Node.Place(mark.getLine() + 1, mark.getColumn() + 1);
  }
}
