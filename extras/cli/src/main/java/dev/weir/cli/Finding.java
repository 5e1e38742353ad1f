package dev.weir.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the doctor has found.
 *
 * @param cure what to do, unless all is well
 * @param see the section of the documents about it
 */
record Finding(Level level, String text, Optional<String> cure, Optional<String> see) {

  /** How bad it is. */
  enum Level {
    OK,
    WARN,
    FAIL
  }

  static Finding ok(String text) {
    return new Finding(Level.OK, text, Optional.empty(), Optional.empty());
  }

  /** Returns a finding that may do harm. */
  static Finding warning(String text, String cure, String see) {
    return new Finding(Level.WARN, text, Optional.of(cure), Optional.of(see));
  }

  /** Returns a finding with which limits do not hold, or Redis does not decide. */
  static Finding fail(String text, String cure, String see) {
    return new Finding(Level.FAIL, text, Optional.of(cure), Optional.of(see));
  }

  List<String> lines() {
    String mark = level == Level.FAIL ? "FAIL" : level.name().toLowerCase(Locale.ROOT);
    List<String> lines = new ArrayList<>();
    lines.add("%-5s%s".formatted(mark, text));
    cure.ifPresent(it -> lines.add("     cure: " + it));
    see.ifPresent(it -> lines.add("     see:  " + it));
    return lines;
  }

  Object json() {
    return Report.map(
        "level", level.name().toLowerCase(Locale.ROOT),
        "text", text,
        "cure", cure,
        "see", see);
  }
}
