package dev.weir.config;

import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.TokenBucket;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** Reads one limit: in one line, or as a map that names the algorithm. */
final class LimitReader {

  static final String EXPECTED =
      "a limit such as '100 per second, burst 200' or '1000 per day window', or a map with"
          + " token-bucket or fixed-window";

  private static final String BUCKET = "token-bucket";
  private static final String WINDOW = "fixed-window";
  private static final String BURST = "burst";
  private static final String ALIGN = "align";
  private static final List<String> KEYS = List.of(BUCKET, WINDOW, BURST, ALIGN);

  private LimitReader() {}

  static Optional<Limit> read(Value value) {
    return value.isMapping()
        ? value.section(EXPECTED, KEYS).flatMap(LimitReader::fromMap)
        : value.parsed(EXPECTED, Limit::parse);
  }

  static boolean isLimit(String text) {
    try {
      Limit.parse(text);
      return true;
    } catch (IllegalArgumentException notALimit) {
      return false;
    }
  }

  private static Optional<Limit> fromMap(Section map) {
    Optional<Value> bucket = map.value(BUCKET);
    Optional<Value> window = map.value(WINDOW);
    if (bucket.isPresent() && window.isPresent()) {
      window.get().problem("a second algorithm", "either token-bucket or fixed-window");
      return Optional.empty();
    }
    if (window.isPresent()) {
      refuse(map, BURST, "no burst: a fixed window has none");
      return window(window.get(), map.value(ALIGN));
    }
    refuse(map, ALIGN, "no align: only a fixed window has a calendar");
    return map.required(BUCKET, "token-bucket or fixed-window, such as '100 per second'")
        .flatMap(rate -> bucket(rate, map.value(BURST)));
  }

  private static void refuse(Section map, String key, String expected) {
    map.value(key).ifPresent(value -> value.problem(value.found(), expected));
  }

  private static Optional<Limit> bucket(Value rate, Optional<Value> burst) {
    Optional<Limit> plain = rateOnly(rate).flatMap(text -> rate.parsed(EXPECTED, Limit::parse));
    if (burst.isEmpty()) {
      return plain;
    }
    Optional<Long> permits = burst.get().whole(1, Long.MAX_VALUE);
    if (permits.isEmpty() || !(plain.orElse(null) instanceof TokenBucket bucket)) {
      return Optional.empty();
    }
    return burst.get().parsed("a burst", text -> new TokenBucket(bucket.rate(), permits.get()));
  }

  private static Optional<Limit> window(Value quota, Optional<Value> align) {
    Optional<ZoneId> zone = align.flatMap(LimitReader::zone);
    Optional<String> rate = rateOnly(quota);
    if (rate.isEmpty() || zone.isPresent() != align.isPresent()) {
      return Optional.empty();
    }
    String text = rate.get() + " window" + zone.map(id -> " " + id).orElse("");
    try {
      return Optional.of((FixedWindow) Limit.parse(text));
    } catch (IllegalArgumentException refused) {
      Complaint complaint = Complaint.of(refused, text, EXPECTED);
      quota.problem(quota.found(), complaint.expected(), complaint.suggestion());
      return Optional.empty();
    }
  }

  /** In a map, burst and calendar have keys of their own. */
  private static Optional<String> rateOnly(Value value) {
    String expected = "permits per time, such as 100_000 per day";
    Optional<String> text = value.text(expected);
    if (text.isPresent() && (text.get().contains(",") || text.get().contains("window"))) {
      value.problem(value.found(), expected);
      return Optional.empty();
    }
    return text;
  }

  private static Optional<ZoneId> zone(Value align) {
    String expected = "a time zone such as UTC or Europe/Berlin";
    Optional<String> name = align.text(expected);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(ZoneId.of(name.get()));
    } catch (DateTimeException notAZone) {
      align.problem(
          align.found(), expected, Spelling.nearest(name.get(), ZoneId.getAvailableZoneIds()));
      return Optional.empty();
    }
  }
}
