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
import org.snakeyaml.engine.v2.exceptions.ParserException;
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

  /** The character that opens a quoted text, a map or a list. */
  private record Delimiter(Node.Place place, String character) {}

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
      Anchored anchored = anchors.get(alias.getAlias());
      if (anchored == null) {
        throw refused(alias, "an alias", "an anchor that is complete before its alias");
      }
      count(anchored.nodes, alias);
      return anchored.node;
    }
    int before = nodes;
    count(1, start);
    Node node;
    if (start instanceof ScalarEvent scalar) {
      refuseTag(scalar, scalar.getTag());
      lastQuoted = scalar.isDQuoted() || scalar.isSQuoted() ? Optional.of(scalar) : lastQuoted;
      node = new Node.Scalar(place(scalar), scalar.getValue(), !scalar.isPlain());
    } else {
      node = collection((CollectionStartEvent) start);
    }
    start.getAnchor().ifPresent(name -> anchors.put(name, new Anchored(node, nodes - before)));
    return node;
  }

  private Node collection(CollectionStartEvent start) {
    refuseTag(start, start.getTag());
    open.push(start);
    if (open.size() > DEEPEST) {
      throw refused(start, "nesting", "at most " + DEEPEST + " levels");
    }
    List<Node> items = new ArrayList<>();
    while (events.next() instanceof NodeEvent item) {
      items.add(node(item));
    }
    open.pop();
    if (!(start instanceof MappingStartEvent)) {
      return new Node.Sequence(place(start), items);
    }
    List<Node.Entry> entries = new ArrayList<>();
    for (int i = 0; i < items.size(); i += 2) {
      entries.add(new Node.Entry(items.get(i), items.get(i + 1)));
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
      throw refused(
          at, "a tag", "no tags: a value that begins with '!' is in quotes, as in \"!422\"");
    }
  }

  private ConfigurationException refused(MarkedYamlEngineException malformed) {
    Optional<Mark> mark = malformed.getProblemMark().or(malformed::getContextMark);
    if (mark.isEmpty()) {
      return refused(Node.Place.NONE, "text that is not YAML", "YAML 1.2");
    }
    Node.Place place = place(mark.get());
    int at = offset(mark.get().getIndex());
    boolean isAtEnd = at == text.length();
    String found =
        isAtEnd || "\r\n".indexOf(text.charAt(at)) >= 0
            ? "the end of the line"
            : "character " + Redaction.quoted(Character.toString(text.codePointAt(at)));
    Optional<String> meant = Mistakes.NOT_YAML.meant(text, at, isAtEnd ? at : at + 1);
    if (meant.isPresent()) {
      return refused(place, found, meant.get());
    }
    Optional<Delimiter> unclosed =
        delimiter(malformed, place)
            .filter(opening -> opening.place.line() < place.line() || isAtEnd);
    if (unclosed.isEmpty()) {
      return refused(place, found, "YAML 1.2, but " + Redaction.plain(malformed.getProblem()));
    }
    String character = unclosed.get().character;
    String closing = character.equals("{") ? "}" : character.equals("[") ? "]" : character;
    return refused(
        unclosed.get().place,
        "a " + character + " that is not closed",
        closing + " before line " + place.line() + ", column " + place.column());
  }

  /** Returns the quote, brace or bracket that the parser was in. */
  private Optional<Delimiter> delimiter(MarkedYamlEngineException malformed, Node.Place problem) {
    // a text that ends on the problem's line may have taken the quote of another one there
    Optional<Mark> quote =
        lastQuoted
            .filter(quoted -> quoted.getEndMark().orElseThrow().getLine() + 1 == problem.line())
            .filter(quoted -> place(quoted).line() < problem.line())
            .flatMap(ScalarEvent::getStartMark);
    if (quote.isEmpty() && String.valueOf(malformed.getContext()).contains("quoted scalar")) {
      quote = malformed.getContextMark();
    }
    if (quote.isPresent()) {
      int at = offset(quote.get().getIndex());
      return Optional.of(new Delimiter(place(quote.get()), text.substring(at, at + 1)));
    }
    CollectionStartEvent innermost = open.peek();
    if (innermost == null || !innermost.isFlow() || !(malformed instanceof ParserException)) {
      return Optional.empty();
    }
    Mark end = innermost.getEndMark().orElseThrow(); // an anchor may precede the brace
    return Optional.of(
        new Delimiter(
            new Node.Place(end.getLine() + 1, end.getColumn()),
            innermost instanceof MappingStartEvent ? "{" : "["));
  }

  private int offset(int codePoints) {
    return text.offsetByCodePoints(0, Math.min(codePoints, text.codePointCount(0, text.length())));
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
