package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.Rule;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the times at which a rule applies. */
final class WhenReader {

  private static final String EXPECTED =
      "days, times and a time zone, such as 'Mon-Fri 07:00-19:00 Europe/Berlin', or a list of these";

  private static final String DAY = "(mon|tue|wed|thu|fri|sat|sun)";
  private static final String TIME = "[0-9]{1,2}:[0-9]{2}";

  private static final Pattern FORM =
      Pattern.compile(
          "("
              + Forms.caseless(DAY + "(\\s*[,-]\\s*" + DAY + ")*\\s+").pattern()
              + ")?("
              + TIME
              + "\\s*-\\s*"
              + TIME
              + "\\s+)?(UTC|[A-Za-z_]+/[A-Za-z0-9_+/-]+)");

  static final Key<Value> WHEN =
      Key.ofParam(
              "when",
              new ValueType.Items(
                  EXPECTED, new ValueType.Form(EXPECTED, FORM), "\\R"), // days contain commas
              "Mon-Fri 07:00-19:00 Europe/Berlin")
          .means(
              "When the rule applies, by the node's clock. Outside of these times it does not exist."
                  + " A range that ends before it begins ends on the next day.")
          .otherwise("always");

  private WhenReader() {}

  /** Returns the ranges, none for always. Leaves out those with a problem. */
  static String[] read(Section rule) {
    return WHEN.in(rule)
        .map(value -> value.each(EXPECTED, WhenReader::valid))
        .orElse(List.of())
        .toArray(String[]::new);
  }

  private static String valid(String range) {
    Rule.Builder unused = Rule.builder("when").when(range);
    return range;
  }
}
