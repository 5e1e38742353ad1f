package dev.weir.config.internal.read;

import dev.weir.config.internal.document.Mistakes;
import dev.weir.config.internal.document.Section;
import dev.weir.config.internal.document.Value;
import dev.weir.config.internal.key.Forms;
import dev.weir.config.internal.key.Key;
import dev.weir.config.internal.key.KeyGroup;
import dev.weir.config.internal.key.KeyGroup.Kind;
import dev.weir.config.internal.key.ValueType;
import dev.weir.http.LimitFunction;
import dev.weir.internal.ByteUnit;
import dev.weir.internal.Expect;
import dev.weir.limit.Concurrency;
import dev.weir.limit.Limit;
import dev.weir.limit.SlidingWindow;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one limit, written in one line or as a map that names the algorithm. */
final class LimitReader {

  /** A number with its unit, at the beginning of a rate. */
  private static final Pattern AMOUNT = Pattern.compile("\\s*[0-9][0-9_]*\\s*(?<unit>[A-Za-z]+)");

  /** What a limit in one line has and a rate has not. In a map, the keys say it. */
  private static final Pattern MORE =
      Pattern.compile(",|window|sliding|leaky|concurrent", Pattern.CASE_INSENSITIVE);

  private static final ValueType.Text RATE =
      new ValueType.Text(
          "permits per time, such as 100_000 per day", Forms.RATE, LimitReader::checkRate);

  private static final Key<String> TOKEN_BUCKET =
      Key.of("token-bucket", RATE, "20 per second").means("The rate of a token bucket.");
  private static final Key<Long> BURST =
      Key.of("burst", new ValueType.Amount(), "40")
          .means("The permits of a full bucket. It is a size where the rate is one.")
          .otherwise("the permits of the rate");

  private static final Key<String> LEAKY_BUCKET =
      Key.of("leaky-bucket", RATE, "2 per second").means("The rate of a leaky bucket.");
  private static final Key<Long> CAPACITY =
      Key.of("capacity", new ValueType.Amount(), "20")
          .means(
              "The permits that the bucket holds, with those that flow out. It is a size where the"
                  + " rate is one.")
          .otherwise("the permits of the rate");

  private static final Key<String> FIXED_WINDOW =
      Key.of("fixed-window", RATE, "100_000 per day").means("The quota of a fixed window.");
  private static final Key<String> ALIGN =
      Key.of(
              "align",
              new ValueType.Text(
                  "a time zone such as UTC or Europe/Berlin",
                  Forms.ANY,
                  zone -> Limit.parse("1 per day window " + zone)),
              "Europe/Berlin")
          .means(
              "The time zone in whose calendar a second, minute, hour, day, week or month begins.")
          .otherwise("it begins with the first granted request");

  private static final Key<String> SLIDING_WINDOW =
      Key.of("sliding-window", RATE, "30 per 10s").means("The quota of a sliding window.");
  private static final Key<Integer> SUB_WINDOWS =
      Key.of("sub-windows", new ValueType.Whole(1, SlidingWindow.MOST_SUB_WINDOWS), "5")
          .means("The parts of the window.")
          .or(SlidingWindow.SUB_WINDOWS);

  private static final Key<Long> CONCURRENT =
      Key.of("concurrent", new ValueType.Count(1, Concurrency.MOST_PERMITS), "4")
          .means("How many requests may run at once.");
  private static final Key.Defaulted<Duration> TTL =
      Key.of("ttl", new ValueType.Length(Duration.ofSeconds(1), Duration.ofDays(366)), "30s")
          .means("When a permit returns whose node has crashed. Until then it is renewed.")
          .or(Concurrency.TTL);

  private static final Key.Defaulted<Boolean> LEASES =
      Key.of("leases", new ValueType.Flag("auto", "off"), "auto")
          .means("Whether nodes may lease permits of a busy subject.")
          .or(false);

  private static final Key<LimitFunction> CLASS =
      Key.of("class", new ValueType.Instance<>(LimitFunction.class), "com.example.QuotaOf")
          .means("A public class of yours that returns the numbers of a subject, or none.")
          .otherwise("all subjects have these numbers");

  private static final List<Kind> KINDS =
      Arrays.stream(Limit.Algorithm.values()).map(LimitReader::kindOf).toList();

  private static final String EXPECTED =
      "a limit such as '100 per second, burst 200' or '1000 per day window', or a map with one of "
          + KeyGroup.names(KINDS, ", ");

  private static final KeyGroup KEYS =
      KeyGroup.of(EXPECTED, CLASS)
          .withKinds(KINDS)
          .withHints(Map.of("lease", "ttl: a time such as 30s, which replaces it"));

  /** A limit, written in one line or as a map. */
  static final ValueType<Value> LIMIT =
      new ValueType.AnyOf(
          EXPECTED, new ValueType.Form(EXPECTED, Forms.LIMIT), new ValueType.Mapping(KEYS));

  private LimitReader() {}

  /**
   * A limit, whether nodes may lease it, whether it was written in sizes, and the function of its
   * subjects.
   */
  record Written(
      Limit limit, boolean isLeased, boolean isInBytes, Optional<LimitFunction> function) {}

  private static Kind kindOf(Limit.Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> Kind.of(TOKEN_BUCKET, BURST, LEASES);
      case FIXED_WINDOW -> Kind.of(FIXED_WINDOW, ALIGN, LEASES);
      case SLIDING_WINDOW -> Kind.of(SLIDING_WINDOW, SUB_WINDOWS);
      case LEAKY_BUCKET -> Kind.of(LEAKY_BUCKET, CAPACITY);
      case CONCURRENCY -> Kind.of(CONCURRENT, TTL);
    };
  }

  static Optional<Written> read(Value value) {
    return value.isMapping()
        ? KEYS.read(value).flatMap(map -> KEYS.kind(map).flatMap(kind -> ofKind(kind, map)))
        : value
            .parsed(EXPECTED, Limit::parse, Mistakes.NOTHING::meant)
            .map(limit -> new Written(limit, false, isInBytes(value), Optional.empty()));
  }

  private static boolean isInBytes(Value rate) {
    Matcher amount = AMOUNT.matcher(rate.text(EXPECTED).orElse(""));
    return amount.lookingAt() && ByteUnit.named(amount.group("unit")).isPresent();
  }

  private static Optional<Written> ofKind(Kind kind, Section map) {
    boolean isLeased = kind.options().contains(LEASES) && LEASES.orDefault(map);
    Optional<LimitFunction> function = CLASS.in(map);
    if (isLeased && CLASS.isIn(map)) {
      LEASES
          .written(map)
          .ifPresent(on -> on.refuse("off, where subjects have numbers of their own"));
    }
    Optional<Value> rate = kind.key().written(map);
    return Arrays.stream(Limit.Algorithm.values())
        .filter(algorithm -> kindOf(algorithm).equals(kind))
        .findFirst()
        .flatMap(algorithm -> limit(algorithm, map))
        .map(
            limit ->
                new Written(
                    limit, isLeased, rate.filter(LimitReader::isInBytes).isPresent(), function));
  }

  private static Optional<Limit> limit(Limit.Algorithm algorithm, Section map) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> counted(map, TOKEN_BUCKET, "", BURST);
      case FIXED_WINDOW -> window(map);
      case SLIDING_WINDOW -> counted(map, SLIDING_WINDOW, " sliding", SUB_WINDOWS);
      case LEAKY_BUCKET -> counted(map, LEAKY_BUCKET, " leaky", CAPACITY);
      case CONCURRENCY -> {
        Duration ttl = TTL.orDefault(map);
        yield CONCURRENT.in(map).map(permits -> new Concurrency(permits, ttl));
      }
    };
  }

  /** Reads a limit that may have a number after the word of its algorithm. */
  private static Optional<Limit> counted(
      Section map, Key<String> rate, String word, Key<?> option) {
    Optional<String> text = rate.in(map);
    Optional<Limit> plain = text.flatMap(valid -> inLine("", map, rate, word));
    if (!option.isIn(map)) {
      return plain;
    }
    Optional<?> number = option.in(map);
    return plain.isEmpty() || number.isEmpty()
        ? Optional.empty()
        : inLine(text.get() + word + ", " + option.name() + " ", map, option, "");
  }

  private static Optional<Limit> window(Section map) {
    Optional<String> quota = FIXED_WINDOW.in(map);
    Optional<String> zone = ALIGN.in(map);
    return quota.isEmpty() || (ALIGN.isIn(map) && zone.isEmpty())
        ? Optional.empty()
        : inLine("", map, FIXED_WINDOW, " window " + zone.orElse(""));
  }

  /** Parses the line with the value of this key between these texts. The value has its problems. */
  private static Optional<Limit> inLine(String before, Section map, Key<?> key, String after) {
    return key.written(map)
        .flatMap(
            value ->
                value.parsed(
                    EXPECTED, text -> Limit.parse(before + text + after), Mistakes.NOTHING::meant));
  }

  private static void checkRate(String text) {
    if (MORE.matcher(text).find()) {
      throw Expect.failure("rate", "'" + text + "'", RATE.expected());
    }
  }
}
