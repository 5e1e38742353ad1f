package dev.weir.config;

import dev.weir.http.Handling;
import dev.weir.http.Statuses;
import java.util.ArrayList;
import java.util.List;

/** Reads what a rule does beside deciding. */
final class HandlingReader {

  private static final String STATUSES = "a status such as 401 or a class such as 4xx, or a list";

  private HandlingReader() {}

  /** What stands in a rule, or else what is usual. */
  static Handling read(Section rule) {
    return rule.value("count")
        .map(value -> Handling.DEFAULT.counting(statuses(value)))
        .orElse(Handling.DEFAULT);
  }

  /** Those that are well formed, each judged where it stands. */
  private static Statuses statuses(Value value) {
    List<Statuses.Range> ranges = new ArrayList<>();
    for (Value item : value.items(STATUSES)) {
      item.parsed(STATUSES, text -> Statuses.parse(List.of(text)))
          .ifPresent(parsed -> ranges.addAll(parsed.ranges()));
    }
    return new Statuses(ranges);
  }
}
