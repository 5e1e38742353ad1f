package dev.weir.config;

import java.util.List;

/** A piece of a document, as written: nothing substituted, nothing judged. */
sealed interface Node {

  Place place();

  /** Where a node begins; lines and columns count from 1 and are 0 where there are none. */
  record Place(int line, int column) {

    static final Place NONE = new Place(0, 0);
  }

  /**
   * A text.
   *
   * @param isQuoted whether the text stands in quotes or a block, so that it is never a null
   */
  record Scalar(Place place, String text, boolean isQuoted) implements Node {

    /** Nothing stands here: {@code key:}, {@code key: ~} or {@code key: null}. */
    boolean isNull() {
      return !isQuoted && (text.isEmpty() || text.equals("~") || text.equalsIgnoreCase("null"));
    }
  }

  record Sequence(Place place, List<Node> items) implements Node {}

  record Mapping(Place place, List<Entry> entries) implements Node {}

  /** A key and its value; that keys are scalars and differ is for {@link Section} to judge. */
  record Entry(Node key, Node value) {}
}
