package dev.weir.demo;

import java.util.Locale;

/** The kinds of limits that are shown side by side; weir.yaml has a rule for each one's path. */
enum Pattern {
  TOKEN_BUCKET,
  FIXED_WINDOW,
  SLIDING_WINDOW,
  LEAKY_BUCKET,
  CONCURRENCY;

  /** As the page and the paths name it. */
  String slug() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Below the servlet that serves them all. */
  String path() {
    return "/" + slug();
  }
}
