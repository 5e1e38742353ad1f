package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Durations;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.http.Handling;
import dev.weir.http.OnDenial;
import dev.weir.http.Statuses;
import dev.weir.internal.Spelling;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads how a rule handles decisions: the statuses that count, and the action on denial. */
final class HandlingReader {

  private static final String STATUSES = "a status such as 401 or a class such as 4xx, or a list";
  private static final String DEGRADE_TO = "degrade to";
  private static final String DELAY_UP_TO = "delay up to";
  private static final String DELAY_EXAMPLE = DELAY_UP_TO + " 2s";
  private static final Map<String, OnDenial> ON_DENIAL = new LinkedHashMap<>();

  static {
    ON_DENIAL.put("reject", OnDenial.REJECT);
    ON_DENIAL.put("shadow", OnDenial.SHADOW);
    ON_DENIAL.put("degrade", OnDenial.DEGRADE);
  }

  private HandlingReader() {}

  /** Reads the handling of a rule, with defaults. */
  static Handling read(Section rule) {
    Statuses counted =
        rule.value("count").map(HandlingReader::statuses).orElse(Handling.DEFAULT.counted());
    OnDenial onDenial =
        rule.value("on-denial")
            .flatMap(HandlingReader::onDenial)
            .orElse(Handling.DEFAULT.onDenial());
    return new Handling(counted, onDenial);
  }

  /** Returns the well-formed statuses. Each problem is reported at its own item. */
  private static Statuses statuses(Value value) {
    List<Statuses.Range> ranges = new ArrayList<>();
    for (Value item : value.items(STATUSES)) {
      item.parsed(STATUSES, text -> Statuses.parse(List.of(text)))
          .ifPresent(parsed -> ranges.addAll(parsed.ranges()));
    }
    return new Statuses(ranges);
  }

  private static Optional<OnDenial> onDenial(Value value) {
    String expected =
        String.join(", ", ON_DENIAL.keySet()) + ", degrade to /path, " + DELAY_EXAMPLE;
    Optional<String> text = value.text(expected);
    if (text.isPresent() && text.get().startsWith(DEGRADE_TO + " ")) {
      String path = text.get().substring(DEGRADE_TO.length()).strip();
      return value.parsed(expected, whole -> OnDenial.degradeTo(path));
    }
    if (text.isPresent() && text.get().startsWith(DELAY_UP_TO + " ")) {
      String time = text.get().substring(DELAY_UP_TO.length()).strip();
      return Durations.read(value, time).flatMap(length -> delay(value, length));
    }
    Optional<OnDenial> chosen = text.map(ON_DENIAL::get);
    if (text.isPresent() && chosen.isEmpty()) {
      value.problem(value.found(), expected, nearest(text.get()));
    }
    return chosen;
  }

  private static Optional<OnDenial> delay(Value value, Duration length) {
    return value.making(DELAY_EXAMPLE, () -> OnDenial.delayUpTo(length));
  }

  private static Optional<String> nearest(String found) {
    return found.startsWith("delay")
        ? Optional.of(DELAY_EXAMPLE)
        : Spelling.nearest(found, ON_DENIAL.keySet());
  }
}
