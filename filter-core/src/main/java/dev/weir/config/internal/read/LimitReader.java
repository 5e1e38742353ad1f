package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.Key.Defaulted;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.ValueType;
import dev.weir.config.internal.key.ValueType.AnyOf;
import dev.weir.config.internal.key.ValueType.Count;
import dev.weir.config.internal.key.ValueType.Flag;
import dev.weir.config.internal.key.ValueType.Form;
import dev.weir.config.internal.key.ValueType.Length;
import dev.weir.config.internal.key.ValueType.Mapping;
import dev.weir.internal.ByteUnit;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.limit.Limit.Algorithm;
import dev.weir.limit.SlidingWindow;
import dev.weir.limit.TokenBucket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads one limit, written in one line or as a map that names the algorithm. */
final class LimitReader {

  private static final Length TTL_LENGTH = new Length(Duration.ofSeconds(1), Duration.ofDays(366));

  /**
   * The keys of an algorithm in a map: one for its rate, and one that only it has.
   *
   * @param word that the one-line form has and the rate must not have, because the key says it;
   *     empty for the algorithm without a word
   */
  private record Keys(String rate, String option, String word) {}

  private static final String ONE_ALGORITHM =
      "one of " + keysOfAll().map(Keys::rate).collect(Collectors.joining(", "));

  private static final String EXPECTED =
      "a limit such as '100 per second, burst 200' or '1000 per day window', or a map with "
          + ONE_ALGORITHM;

  private static final String LEASABLE =
      Arrays.stream(Algorithm.values())
          .filter(Algorithm::isLeasable)
          .map(algorithm -> "a " + keysOf(algorithm).rate())
          .collect(Collectors.joining(" or "));

  /** Replacements for keys that no longer exist. */
  private static final Map<String, String> HINTS =
      Map.of("lease", "ttl: a time such as 30s, which replaces it");

  /** A number with its unit, at the beginning of a rate. */
  private static final Pattern AMOUNT = Pattern.compile("\\s*[0-9][0-9_]*\\s*(?<unit>[A-Za-z]+)");

  private static final Form RATE =
      new Form("permits per time, such as 100_000 per day", Forms.RATE);
  private static final AnyOf COUNT =
      new AnyOf(
          "a number or a size",
          List.of(new Count(1, Long.MAX_VALUE), new Form("a size such as 1 MB", Forms.SIZE)));

  private static final Defaulted<Boolean> LEASES =
      Key.of(
              "leases",
              new Flag("auto", "off"),
              "Whether nodes may lease permits of a busy subject, of a token bucket or a fixed"
                  + " window.",
              "auto")
          .or(false);

  private static final Defaulted<Duration> TTL =
      Key.of(
              "ttl",
              TTL_LENGTH,
              "Of `concurrent`: when a permit returns whose node has crashed. Until then it is renewed.",
              "30s")
          .or(Concurrency.TTL);

  private static final KeyGroup KEYS =
      KeyGroup.of(
              EXPECTED,
              Key.of("token-bucket", RATE, "The rate of a token bucket.", "20 per second"),
              Key.of("leaky-bucket", RATE, "The rate of a leaky bucket.", "2 per second"),
              Key.of("fixed-window", RATE, "The quota of a fixed window.", "100_000 per day"),
              Key.of("sliding-window", RATE, "The quota of a sliding window.", "30 per 10s"),
              Key.of(
                  "concurrent",
                  new Count(1, Concurrency.MOST_PERMITS),
                  "How many requests may run at once.",
                  "4"),
              Key.of(
                      "burst",
                      COUNT,
                      "Of `token-bucket`: the permits of a full bucket. It is a size where the rate"
                          + " is one.",
                      "40")
                  .otherwise("the permits of the rate"),
              Key.of(
                      "capacity",
                      COUNT,
                      "Of `leaky-bucket`: the permits that it holds, with those that flow out. It is"
                          + " a size where the rate is one.",
                      "20")
                  .otherwise("the permits of the rate"),
              Key.of(
                      "align",
                      new Form("a time zone such as UTC or Europe/Berlin", Forms.ANY),
                      "Of `fixed-window`: the time zone in whose calendar a second, minute, hour,"
                          + " day, week or month begins.",
                      "Europe/Berlin")
                  .otherwise("it begins with the first request"),
              Key.of(
                      "sub-windows",
                      new Count(1, SlidingWindow.MOST_SUB_WINDOWS),
                      "Of `sliding-window`: its parts.",
                      "5")
                  .otherwise("10"),
              TTL,
              LEASES)
          .withHints(HINTS);

  /** A limit, written in one line or as a map. */
  static final ValueType<Value> LIMIT =
      new AnyOf(EXPECTED, List.of(new Form(EXPECTED, Forms.LIMIT), new Mapping(KEYS)));

  private LimitReader() {}

  /**
   * A limit as it is written.
   *
   * @param isLeased whether nodes may lease it
   * @param isInBytes whether its numbers are sizes
   */
  record Written(Limit limit, boolean isLeased, boolean isInBytes) {}

  static Optional<Written> read(Value value) {
    return value.isMapping()
        ? KEYS.read(value).flatMap(LimitReader::withLeases)
        : value
            .parsed(EXPECTED, Limit::parse)
            .map(limit -> new Written(limit, false, isInBytes(value)));
  }

  private static boolean isInBytes(Value rate) {
    Matcher amount = AMOUNT.matcher(rate.text(EXPECTED).orElse(""));
    return amount.lookingAt() && ByteUnit.named(amount.group("unit")).isPresent();
  }

  private static Stream<Keys> keysOfAll() {
    return Arrays.stream(Algorithm.values()).map(LimitReader::keysOf);
  }

  private static Keys keysOf(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> new Keys("token-bucket", "burst", "");
      case FIXED_WINDOW -> new Keys("fixed-window", "align", "window");
      case SLIDING_WINDOW -> new Keys("sliding-window", "sub-windows", "sliding");
      case LEAKY_BUCKET -> new Keys("leaky-bucket", "capacity", "leaky");
      case CONCURRENCY -> new Keys("concurrent", "ttl", "concurrent");
    };
  }

  private static Optional<Written> withLeases(Section map) {
    Optional<Limit> limit = fromMap(map);
    boolean isLeased = LEASES.orDefault(map) && limit.isPresent();
    if (isLeased && !limit.get().algorithm().isLeasable()) {
      LEASES.written(map).ifPresent(it -> it.problem("'auto'", "off, but of " + LEASABLE));
    }
    return limit.map(it -> new Written(it, isLeased, isInBytes(map, keysOf(it.algorithm()))));
  }

  private static boolean isInBytes(Section map, Keys keys) {
    return map.value(keys.rate()).filter(LimitReader::isInBytes).isPresent();
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
    List<Algorithm> named =
        Arrays.stream(Algorithm.values()).filter(it -> map.has(keysOf(it).rate())).toList();
    if (named.size() > 1) {
      map.value(keysOf(named.get(1)).rate())
          .ifPresent(it -> it.problem("a second algorithm", ONE_ALGORITHM));
      return Optional.empty();
    }
    Algorithm algorithm = named.isEmpty() ? Algorithm.TOKEN_BUCKET : named.get(0);
    Keys keys = keysOf(algorithm);
    if (!named.isEmpty()) {
      keysOfAll().filter(other -> !other.equals(keys)).forEach(other -> refuseOption(map, other));
    }
    return map.required(keys.rate(), ONE_ALGORITHM + ", such as '100 per second'")
        .flatMap(rate -> limit(algorithm, rate, map.value(keys.option())));
  }

  private static void refuseOption(Section map, Keys other) {
    map.value(other.option())
        .ifPresent(it -> it.refuse("no " + other.option() + ": it is of " + other.rate()));
  }

  private static Optional<Limit> limit(Algorithm algorithm, Value rate, Optional<Value> option) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> bucket(rate, option);
      case FIXED_WINDOW -> window(rate, option);
      case SLIDING_WINDOW -> counted(rate, " sliding", ", sub-windows ", option);
      case LEAKY_BUCKET -> counted(rate, " leaky", ", capacity ", option);
      case CONCURRENCY -> concurrency(rate, option);
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

  private static Optional<String> count(Value value) {
    Optional<Long> count =
        value.isSize() ? value.parsed("a size", ByteUnit::parse) : value.whole(1, Long.MAX_VALUE);
    return count.flatMap(known -> value.text("a number or a size"));
  }

  private static Optional<Limit> window(Value quota, Optional<Value> align) {
    return align.isEmpty()
        ? oneLine(quota, " window")
        : align
            .get()
            .checked(
                "a time zone such as UTC or Europe/Berlin",
                zone -> Limit.parse("1 per day window " + zone))
            .flatMap(zone -> oneLine(quota, " window " + zone));
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
    Optional<Duration> length = ttl.map(TTL_LENGTH::read).orElse(Optional.of(Concurrency.TTL));
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
    Optional<String> text = value.text(RATE.expected());
    return text.filter(LimitReader::isMore).isPresent() ? value.refuse(RATE.expected()) : text;
  }

  private static boolean isMore(String rate) {
    String lower = rate.toLowerCase(Locale.ROOT);
    return rate.contains(",")
        || keysOfAll().map(Keys::word).anyMatch(word -> !word.isEmpty() && lower.contains(word));
  }
}
