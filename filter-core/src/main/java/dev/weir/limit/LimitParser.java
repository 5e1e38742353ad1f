package dev.weir.limit;

import dev.weir.internal.ByteUnit;
import dev.weir.internal.Expect;
import dev.weir.internal.InvalidValueException;
import dev.weir.internal.Spans;
import dev.weir.internal.Spelling;
import dev.weir.limit.FixedWindow.CalendarWindow;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A parser of the one-line form of a limit; {@link Limit#parse} documents the grammar. */
final class LimitParser {

  private static final String FORM =
      "a limit such as '100 per second, burst 200', '10 per 10s', '1000 per day window UTC' or"
          + " '4 concurrent'";

  private final LimitScanner scanner;
  private final String text;
  private boolean isInBytes;

  private LimitParser(String text) {
    this.text = text;
    this.scanner = new LimitScanner(text);
  }

  static Limit parse(String text) {
    return new LimitParser(text).limit();
  }

  private Limit limit() {
    Fractions.refuse(text);
    long count = number("permits", FORM);
    Optional<ByteUnit> unit = scanner.unit();
    isInBytes = unit.isPresent(); // what the rate counts, permits or bytes, the whole limit counts
    long permits = unit.map(it -> it.bytes("permits", count)).orElse(count);
    Limit limit = scanner.word("concurrent") ? concurrency(permits) : perTime(permits);
    if (!scanner.isDone()) {
      throw trailing(scanner.rest());
    }
    return limit;
  }

  private long number(String field, String expectation) {
    return scanner.number(field).orElseThrow(() -> malformed(expectation));
  }

  /**
   * Returns the number after a comma and this word, in permits or bytes as the rate is; empty when
   * there is no comma.
   *
   * @param example ends with the word and a number
   */
  private Optional<Long> option(String word, String example) {
    if (!scanner.symbol(',')) {
      return Optional.empty();
    }
    if (!scanner.word(word)) {
      throw malformed("'" + word + "' after the comma, as in '" + example + "'");
    }
    String number = example.substring(example.indexOf(word));
    long count = number(word, "a whole number after '" + word + "', as in '" + number + "'");
    Optional<ByteUnit> unit = scanner.unit();
    if (unit.isPresent() && !isInBytes) {
      throw Expect.failure(
          word, count + " " + unit.get(), "a number without a unit, as the rate has none");
    }
    if (unit.isEmpty() && isInBytes) {
      throw Expect.failure(
          word, count, "a size such as '" + word + " 1 MB', for the rate is in bytes");
    }
    return Optional.of(unit.map(it -> it.bytes(word, count)).orElse(count));
  }

  private Concurrency concurrency(long permits) {
    if (isInBytes) {
      throw malformed("a number of permits, as in '4 concurrent': bytes are counted over a time");
    }
    if (!scanner.symbol(',')) {
      return Concurrency.of(permits);
    }
    if (!scanner.word("ttl")) {
      boolean isFormerName = scanner.word("lease");
      throw malformed(
          "'ttl' after the comma, as in '4 concurrent, ttl 30s'"
              + (isFormerName ? "; 'lease' is now 'ttl'" : ""));
    }
    long count = scanner.number("ttl").orElse(1L);
    String unit =
        scanner.word().orElseThrow(() -> malformed("a unit of time after 'ttl', as in 'ttl 30s'"));
    return new Concurrency(permits, span("ttl", count, unit));
  }

  private Limit perTime(long permits) {
    if (!scanner.symbol('/') && !scanner.word("per")) {
      String found = scanner.word().orElse("");
      if (found.equalsIgnoreCase("k")) {
        throw malformed("a number without a prefix: 'k' is written out, as in '1_000 per hour'");
      }
      List<String> known = new ArrayList<>(List.of("per", "concurrent"));
      known.addAll(ByteUnit.names());
      throw malformed(
          "'per' or '/' after the permits, as in '100 per second', or 'concurrent'",
          Spelling.nearest(found, known));
    }
    long count = scanner.number("period").orElse(1L);
    String unit =
        scanner
            .word()
            .orElseThrow(() -> malformed("a unit of time after 'per', as in '10 per 10s'"));
    if (scanner.word("window")) {
      return window(permits, count, unit);
    }
    Duration span = span("period", count, unit);
    if (scanner.word("sliding")) {
      return sliding(permits, span);
    }
    Limit.Rate rate = new Limit.Rate(permits, span);
    return scanner.word("leaky")
        ? new LeakyBucket(
            rate, option("capacity", "2 per second leaky, capacity 20").orElse(permits))
        : new TokenBucket(rate, option("burst", "100 per second, burst 200").orElse(permits));
  }

  private FixedWindow window(long quota, long count, String unit) {
    String zone = scanner.rest();
    scanner.finish();
    return zone.isEmpty()
        ? FixedWindow.of(quota, span("period", count, unit))
        : FixedWindow.of(quota, calendarUnit(count, unit), zone(zone));
  }

  private SlidingWindow sliding(long quota, Duration length) {
    if (!scanner.symbol(',')) {
      return SlidingWindow.of(quota, length);
    }
    if (!(scanner.word("sub") && scanner.symbol('-') && scanner.word("windows"))) {
      throw malformed("'sub-windows' after the comma, as in '30 per 10s sliding, sub-windows 5'");
    }
    long subWindows = number("sub-windows", "a whole number after 'sub-windows'");
    return new SlidingWindow(quota, length, (int) Math.min(subWindows, Integer.MAX_VALUE));
  }

  private Duration span(String field, long count, String word) {
    if (count <= 0) {
      throw Expect.failure(field, count + " " + word, "> 0");
    }
    if (isMonth(word)) {
      throw Expect.failure(
          field, word, "a month only in a calendar: '1000 per month window Europe/Berlin'");
    }
    long micros = unit(word).micros();
    if (count > Long.MAX_VALUE / micros) {
      throw Expect.failure(field, count + " " + word, "at most 366 days");
    }
    return Spans.ofMicros(count * micros);
  }

  private CalendarWindow.Unit calendarUnit(long count, String word) {
    String unit = isMonth(word) ? "month" : unit(word).singular();
    for (CalendarWindow.Unit aligned : CalendarWindow.Unit.values()) {
      if (count == 1 && aligned.name().toLowerCase(Locale.ROOT).equals(unit)) {
        return aligned;
      }
    }
    throw Expect.failure(
        "period",
        count + " " + word,
        "one second, minute, hour, day, week or month, for a window aligned to a calendar");
  }

  private static boolean isMonth(String word) {
    return Set.of("month", "months").contains(word.toLowerCase(Locale.ROOT));
  }

  private static Spans.Unit unit(String word) {
    if (List.of("year", "years", "yr", "yrs", "y").contains(word.toLowerCase(Locale.ROOT))) {
      throw Expect.failure("unit", "'" + word + "'", "days, as in '1000 per 365 days'");
    }
    return Spans.Unit.spelled(word)
        .orElseThrow(
            () ->
                Expect.failure(
                    "unit",
                    "'" + word + "'",
                    "us, ms, s, m, h, d, w or their full words",
                    Spelling.nearest(word, Spans.Unit.words())));
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException notAZone) {
      throw Expect.failure(
          "zone",
          "'" + name + "'",
          "a time zone such as UTC or Europe/Berlin",
          Spelling.nearest(name, new TreeSet<>(ZoneId.getAvailableZoneIds())));
    }
  }

  /** Returns the error of text after a limit: a misspelt word, or a missing comma. */
  private InvalidValueException trailing(String rest) {
    String found = scanner.word().orElse("");
    String hint =
        switch (found.toLowerCase(Locale.ROOT)) {
          case "burst" -> "; a burst follows a comma: '100 per second, burst 200'";
          case "and" -> "; two limits are a list: ['5 per minute', '100 per hour']";
          case "ttl" -> "; a ttl follows a comma: '4 concurrent, ttl 10s'";
          default -> "";
        };
    List<String> known = List.of("window", "sliding", "leaky", "burst", "ttl");
    return malformed(
        "nothing after the limit, but found '" + rest + "'" + hint,
        hint.isEmpty() ? Spelling.nearest(found, known) : Optional.empty());
  }

  private InvalidValueException malformed(String expectation) {
    return malformed(expectation, Optional.empty());
  }

  private InvalidValueException malformed(String expectation, Optional<String> suggestion) {
    return Expect.failure("limit", "'" + text + "'", expectation, suggestion);
  }
}
