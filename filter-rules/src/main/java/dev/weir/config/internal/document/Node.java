package dev.weir.config.internal.document;

import java.util.List;

/** A piece of a document as written, before substitution and validation. */
public sealed interface Node {

  Place place();

  // nodes that have no place, since they are not written in a file

  static Node of(String text) {
    return new Scalar(Place.NONE, text, true);
  }

  static Node of(List<Node> items) {
    return new Sequence(Place.NONE, items);
  }

  static Node ofEntries(List<Entry> entries) {
    return new Mapping(Place.NONE, entries);
  }

  /** The place where a node begins. Lines and columns count from 1, and are 0 if there are none. */
  record Place(int line, int column) {

    public static final Place NONE = new Place(0, 0);
  }

  /** A text. It is quoted in quotes or a block, and then never a null. */
  record Scalar(Place place, String text, boolean isQuoted) implements Node {

    /** Returns whether the value is empty: {@code key:}, {@code key: ~} or {@code key: null}. */
    boolean isNull() {
      return !isQuoted && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
    }

    /** Returns where the text is, and not the text: it may be a secret. */
    @Override
    public String toString() {
      return "Scalar[" + place + "]";
    }
  }

  record Sequence(Place place, List<Node> items) implements Node {}

  record Mapping(Place place, List<Entry> entries) implements Node {}

  /** A key and its value. {@link Section} checks that keys are scalars and unique. */
  record Entry(Node key, Node value) {

    public static Entry of(String key, Node value) {
      return new Entry(Node.of(key), value);
    }
  }
}
