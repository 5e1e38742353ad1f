package dev.weir.demo;

import java.util.Locale;

/** The kinds of limits that the page compares; weir.yaml has a rule for each one's path. */
enum Pattern {
  TOKEN_BUCKET,
  FIXED_WINDOW,
  SLIDING_WINDOW,
  LEAKY_BUCKET,
  CONCURRENCY;

  /** Returns the name that the page and the paths use. */
  String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the path below the servlet that serves them all. */
  String path() {
    return "/" + slug();
  }
}
