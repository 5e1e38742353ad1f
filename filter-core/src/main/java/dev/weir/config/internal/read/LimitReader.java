package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Choices;
import dev.weir.config.internal.document.Durations;
import dev.weir.config.internal.document.ParseError;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.internal.Spelling;
import dev.weir.limit.ByteUnit;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.limit.TokenBucket;
import dev.weir.near.TokenLeaseStore;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads one limit, written in one line or as a map that names the algorithm. */
final class LimitReader {

  static final String EXPECTED =
      "a limit such as '100 per second, burst 200' or '1000 per day window', or a map with"
          + " token-bucket, fixed-window, sliding-window, leaky-bucket or concurrent";

  private static final String BUCKET = "token-bucket";
  private static final String WINDOW = "fixed-window";
  private static final String SLIDING = "sliding-window";
  private static final String LEAKY = "leaky-bucket";
  private static final String CONCURRENT = "concurrent";
  private static final String BURST = "burst";
  private static final String ALIGN = "align";
  private static final String SUB_WINDOWS = "sub-windows";
  private static final String CAPACITY = "capacity";
  private static final String TTL = "ttl";
  private static final String LEASES = "leases";
  private static final Map<String, Boolean> AUTO = Choices.ordered("auto", true, "off", false);
  private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
  private static final Duration LONGEST_TTL = Duration.ofHours(24);
  private static final String ONE_ALGORITHM =
      "one of token-bucket, fixed-window, sliding-window, leaky-bucket, concurrent";

  /** Each algorithm, and the key that only it has. */
  private static final Map<String, String> ALGORITHMS =
      new TreeMap<>(
          Map.of(
              BUCKET,
              BURST,
              WINDOW,
              ALIGN,
              SLIDING,
              SUB_WINDOWS,
              LEAKY,
              CAPACITY,
              CONCURRENT,
              TTL));

  private static final List<String> KEYS =
      List.of(
          BUCKET,
          WINDOW,
          SLIDING,
          LEAKY,
          CONCURRENT,
          BURST,
          ALIGN,
          SUB_WINDOWS,
          CAPACITY,
          TTL,
          LEASES);

  /** Replacements for keys that no longer exist. */
  private static final Map<String, String> CURES =
      Map.of("lease", "ttl: a time such as 30s, which replaces it");

  /** A limit, and whether nodes may lease it. */
  record Found(Limit limit, boolean isLeased) {}

  private LimitReader() {}

  static Optional<Found> read(Value value) {
    return value.isMapping()
        ? value.section(EXPECTED, KEYS, CURES).flatMap(LimitReader::withLeases)
        : value.parsed(EXPECTED, Limit::parse).map(limit -> new Found(limit, false));
  }

  private static Optional<Found> withLeases(Section map) {
    Optional<Limit> limit = fromMap(map);
    Optional<Value> leases = map.value(LEASES);
    boolean isLeased = leases.flatMap(value -> value.oneOf(AUTO)).orElse(false);
    if (isLeased && limit.filter(it -> !TokenLeaseStore.canLease(it)).isPresent()) {
      leases.orElseThrow().problem("'auto'", "off, but of a " + BUCKET + " or a " + WINDOW);
    }
    return limit.map(it -> new Found(it, isLeased));
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
    List<Value> named =
        ALGORITHMS.keySet().stream().flatMap(key -> map.value(key).stream()).toList();
    if (named.size() > 1) {
      named.get(0).problem("a second algorithm", ONE_ALGORITHM);
      return Optional.empty();
    }
    Optional<String> algorithm =
        ALGORITHMS.keySet().stream().filter(key -> map.value(key).isPresent()).findFirst();
    algorithm.ifPresent(name -> refuseKeysOfOthers(map, name));
    return map.required(algorithm.orElse(BUCKET), ONE_ALGORITHM + ", such as '100 per second'")
        .flatMap(rate -> limit(algorithm.orElse(BUCKET), rate, map));
  }

  private static void refuseKeysOfOthers(Section map, String algorithm) {
    ALGORITHMS.forEach(
        (other, key) -> {
          if (!other.equals(algorithm)) {
            map.value(key)
                .ifPresent(
                    value -> value.problem(value.found(), "no " + key + ": it is of " + other));
          }
        });
  }

  private static Optional<Limit> limit(String algorithm, Value rate, Section map) {
    return switch (algorithm) {
      case WINDOW -> window(rate, map.value(ALIGN));
      case SLIDING -> counted(rate, " sliding", ", sub-windows ", map.value(SUB_WINDOWS));
      case LEAKY -> counted(rate, " leaky", ", capacity ", map.value(CAPACITY));
      case CONCURRENT -> concurrency(rate, map.value(TTL));
      default -> bucket(rate, map.value(BURST));
    };
  }

  private static Optional<Limit> bucket(Value rate, Optional<Value> burst) {
    Optional<String> text = rateOnly(rate);
    Optional<Limit> plain = text.flatMap(written -> rate.parsed(EXPECTED, Limit::parse));
    if (burst.isEmpty()) {
      return plain;
    }
    Optional<String> permits = count(burst.get());
    if (permits.isEmpty() || !(plain.orElse(null) instanceof TokenBucket)) {
      return Optional.empty();
    }
    String whole = text.orElseThrow() + ", burst " + permits.get();
    return burst.get().parsed("a burst", written -> Limit.parse(whole));
  }

  /** Reads a whole number, or a size with its unit. */
  private static Optional<String> count(Value value) {
    Optional<Long> count =
        value.isSize() ? value.parsed("a size", ByteUnit::parse) : value.whole(1, Long.MAX_VALUE);
    return count.flatMap(known -> value.text("a number or a size"));
  }

  private static Optional<Limit> window(Value quota, Optional<Value> align) {
    Optional<ZoneId> zone = align.flatMap(LimitReader::zone);
    if (zone.isPresent() != align.isPresent()) {
      return Optional.empty();
    }
    return oneLine(quota, " window" + zone.map(id -> " " + id).orElse(""));
  }

  /** Reads a limit with an optional number after its algorithm word. */
  private static Optional<Limit> counted(
      Value rate, String word, String before, Optional<Value> number) {
    Optional<String> count = number.flatMap(LimitReader::count);
    if (count.isPresent() != number.isPresent()) {
      return Optional.empty();
    }
    return oneLine(rate, word + count.map(whole -> before + whole).orElse(""));
  }

  private static Optional<Limit> concurrency(Value permits, Optional<Value> ttl) {
    Optional<Long> most = permits.whole(1, Concurrency.MOST_PERMITS);
    Optional<Duration> length =
        ttl.isEmpty()
            ? Optional.of(Concurrency.TTL)
            : Durations.read(ttl.get(), SHORTEST_TTL, LONGEST_TTL);
    return most.flatMap(n -> length.map(time -> new Concurrency(n, time)));
  }

  /** Parses the limit as if it were written in one line. Problems are reported at the quota. */
  private static Optional<Limit> oneLine(Value quota, String end) {
    Optional<String> rate = rateOnly(quota);
    if (rate.isEmpty()) {
      return Optional.empty();
    }
    String text = rate.get() + end;
    try {
      return Optional.of(Limit.parse(text));
    } catch (IllegalArgumentException refused) {
      ParseError parseError = ParseError.of(refused, text, EXPECTED);
      quota.problem(quota.found(), parseError.expected(), parseError.suggestion());
      return Optional.empty();
    }
  }

  /**
   * Reads the rate alone. In a map, options such as the burst or the calendar have their own keys.
   */
  private static Optional<String> rateOnly(Value value) {
    String expected = "permits per time, such as 100_000 per day";
    Optional<String> text = value.text(expected);
    if (text.map(LimitReader::isMore).orElse(false)) {
      value.problem(value.found(), expected);
      return Optional.empty();
    }
    return text;
  }

  private static boolean isMore(String rate) {
    return rate.contains(",")
        || rate.contains("window")
        || rate.contains("sliding")
        || rate.contains("leaky");
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
