package dev.weir.cli;

import dev.weir.http.OnDenial;
import dev.weir.http.Rule;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.limit.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How rules, limits and times are written. */
final class Words {

  private Words() {}

  static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /** Returns the name, the requests, the subject and the limits of a rule. */
  static List<String> rule(Rule rule) {
    return List.of(
        rule.name(),
        rule.match().map(Object::toString).orElse("annotations"),
        rule.subject().toString(),
        rule.limits().stream().map(Words::limit).collect(Collectors.joining("; ")),
        kind(rule));
  }

  static String limit(NamedLimit limit) {
    return limit.name() + ": " + limit.limit();
  }

  /** Returns what becomes of denied requests, where they are not just rejected. */
  static String kind(Rule rule) {
    return switch (rule.kind()) {
      case SHADOW -> "shadow";
      case DEGRADING -> "degrade";
      case REJECTING ->
          rule.onDenial() instanceof OnDenial.Delay delay
              ? "delay up to " + time(delay.maxWait())
              : "";
    };
  }

  static String algorithm(Limit limit) {
    return limit.algorithm().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** Returns a length of time with as many digits as an operator reads. */
  static String time(Duration time) {
    long millis = time.plusNanos(999_999).toMillis();
    if (millis < 1_000) {
      return millis + " ms";
    }
    if (millis < 120_000) {
      return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
    long minutes = (millis + 59_999) / 60_000;
    if (minutes < 120) {
      return minutes + " min";
    }
    long hours = (minutes + 59) / 60;
    return hours < 48 ? hours + " h" : (hours + 23) / 24 + " d";
  }

  /** Returns seconds with three decimals, for JSON. */
  static double seconds(Duration time) {
    return Math.round(time.toNanos() / 1e6) / 1e3;
  }
}
