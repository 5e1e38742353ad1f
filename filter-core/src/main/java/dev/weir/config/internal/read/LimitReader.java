package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.limit.ByteUnit;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.limit.TokenBucket;
import dev.weir.near.TokenLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Reads one limit, written in one line or as a map that names the algorithm. */
final class LimitReader {

  private static final String EXPECTED =
      "a limit such as '100 per second, burst 200' or '1000 per day window', or a map with"
          + " token-bucket, fixed-window, sliding-window, leaky-bucket or concurrent";

  private static final String BUCKET = "token-bucket";
  private static final String WINDOW = "fixed-window";
  private static final String SLIDING = "sliding-window";
  private static final String LEAKY = "leaky-bucket";
  private static final String CONCURRENT = "concurrent";
  private static final String LEASES = "leases";
  private static final Duration SHORTEST_TTL = Duration.ofSeconds(1);
  private static final Duration LONGEST_TTL = Duration.ofHours(24);
  private static final List<String> ALGORITHMS =
      List.of(BUCKET, WINDOW, SLIDING, LEAKY, CONCURRENT);
  private static final String ONE_ALGORITHM = "one of " + String.join(", ", ALGORITHMS);

  /** Each algorithm, and the key that only it has. */
  private static final Map<String, String> OPTION_OF =
      new TreeMap<>(
          Map.of(
              BUCKET, "burst",
              WINDOW, "align",
              SLIDING, "sub-windows",
              LEAKY, "capacity",
              CONCURRENT, "ttl"));

  /** Replacements for keys that no longer exist. */
  private static final Map<String, String> HINTS =
      Map.of("lease", "ttl: a time such as 30s, which replaces it");

  /** A limit, and whether nodes may lease it. */
  record Found(Limit limit, boolean isLeased) {}

  private LimitReader() {}

  static Optional<Found> read(Value value) {
    return value.isMapping()
        ? value.section(EXPECTED, keys(), HINTS).flatMap(LimitReader::withLeases)
        : value.parsed(EXPECTED, Limit::parse).map(limit -> new Found(limit, false));
  }

  private static List<String> keys() {
    List<String> keys = new ArrayList<>(ALGORITHMS);
    ALGORITHMS.forEach(algorithm -> keys.add(OPTION_OF.getOrDefault(algorithm, "")));
    keys.add(LEASES);
    return keys;
  }

  private static Optional<Found> withLeases(Section map) {
    Optional<Limit> limit = fromMap(map);
    boolean isLeased = map.flag(LEASES, "auto", "off", false);
    if (isLeased && limit.filter(it -> !TokenLeaseStore.canLease(it)).isPresent()) {
      map.value(LEASES)
          .ifPresent(it -> it.problem("'auto'", "off, but of a " + BUCKET + " or a " + WINDOW));
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
    List<String> named = OPTION_OF.keySet().stream().filter(map::has).toList();
    if (named.size() > 1) {
      map.value(named.get(0)).ifPresent(it -> it.problem("a second algorithm", ONE_ALGORITHM));
      return Optional.empty();
    }
    String algorithm = named.isEmpty() ? BUCKET : named.get(0);
    if (!named.isEmpty()) {
      refuseOptionsOfOthers(map, algorithm);
    }
    return map.required(algorithm, ONE_ALGORITHM + ", such as '100 per second'")
        .flatMap(rate -> limit(algorithm, rate, map));
  }

  private static void refuseOptionsOfOthers(Section map, String algorithm) {
    OPTION_OF.forEach(
        (other, key) -> {
          if (!other.equals(algorithm)) {
            map.value(key)
                .ifPresent(
                    value -> value.problem(value.found(), "no " + key + ": it is of " + other));
          }
        });
  }

  private static Optional<Limit> limit(String algorithm, Value rate, Section map) {
    Optional<Value> option = Optional.ofNullable(OPTION_OF.get(algorithm)).flatMap(map::value);
    return switch (algorithm) {
      case WINDOW -> window(rate, option);
      case SLIDING -> counted(rate, " sliding", ", sub-windows ", option);
      case LEAKY -> counted(rate, " leaky", ", capacity ", option);
      case CONCURRENT -> concurrency(rate, option);
      default -> bucket(rate, option);
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
    if (align.isEmpty()) {
      return oneLine(quota, " window");
    }
    return align
        .get()
        .parsed("a time zone such as UTC or Europe/Berlin", LimitReader::validZone)
        .flatMap(zone -> oneLine(quota, " window " + zone));
  }

  /** Returns the zone if a limit may have it. */
  private static String validZone(String zone) {
    Limit.parse("1 per day window " + zone);
    return zone;
  }

  /** Reads a limit with an optional number after its algorithm word. */
  private static Optional<Limit> counted(
      Value rate, String word, String before, Optional<Value> number) {
    return number.isEmpty()
        ? oneLine(rate, word)
        : count(number.get()).flatMap(count -> oneLine(rate, word + before + count));
  }

  private static Optional<Limit> concurrency(Value permits, Optional<Value> ttl) {
    Optional<Long> most = permits.whole(1, Concurrency.MOST_PERMITS);
    Optional<Duration> length =
        ttl.isEmpty()
            ? Optional.of(Concurrency.TTL)
            : ttl.get().duration(SHORTEST_TTL, LONGEST_TTL);
    return most.flatMap(n -> length.map(time -> new Concurrency(n, time)));
  }

  /** Parses the limit as if it were written in one line. Problems are reported at the quota. */
  private static Optional<Limit> oneLine(Value quota, String end) {
    return rateOnly(quota)
        .flatMap(
            rate -> quota.shownAs(found -> quota.found()).check(() -> Limit.parse(rate + end)));
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
}
