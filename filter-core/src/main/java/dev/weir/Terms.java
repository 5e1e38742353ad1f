package dev.weir;

/** On which terms an {@link Ask} wants its permits. */
public sealed interface Terms {

  /** All of them, or none. */
  record Exactly() implements Terms {}

  /**
   * As many of them as there are, in whole permits; when there is none, it is denied as a request
   * for one would be. So no such request is too large.
   */
  record UpTo() implements Terms {}

  /**
   * None: tells how things stand, and what would be answered if all of them were asked for. Nothing
   * is charged.
   */
  record Peek() implements Terms {}

  /** The only {@link Exactly} that is needed. */
  Terms EXACTLY = new Exactly();

  /** The only {@link UpTo} that is needed. */
  Terms UP_TO = new UpTo();

  /** The only {@link Peek} that is needed. */
  Terms PEEK = new Peek();
}
