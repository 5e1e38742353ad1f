package dev.weir.limit;

import dev.weir.internal.Expect;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rates with a fraction, such as {@code 0.5 per second}. Permits are whole, so they are refused.
 * The same rate in whole numbers is suggested: {@code 1 per 2 seconds}.
 */
final class Fractions {

  /** Few enough digits that the numbers of a suggestion can be read. */
  private static final Pattern RATE =
      Pattern.compile(
          "\\s*(?<whole>[0-9]{0,9})\\.(?<part>[0-9]{1,6})(?<bytes>\\s*\\p{L}+)?"
              + "\\s*(?<per>per\\b|/)\\s*(?<count>[0-9]{1,6})?\\s*(?<unit>\\p{L}+)(?<rest>.*)",
          Pattern.CASE_INSENSITIVE);

  /** A number such as 1.000, which is a thousand in some countries. */
  private static final Pattern THOUSANDS = Pattern.compile("[1-9][0-9]{0,2}\\.[0-9]{3}");

  private static final Set<String> WORDS = Set.of("second", "minute", "hour", "day", "week");

  private Fractions() {}

  /**
   * Refuses a rate with a fraction.
   *
   * @throws IllegalArgumentException with the same rate in whole numbers, if there is one
   */
  static void refuse(String text) {
    Matcher rate = RATE.matcher(text);
    if (!rate.matches()) {
      return;
    }
    String found = rate.group("whole") + "." + rate.group("part");
    Optional<String> meant =
        THOUSANDS.matcher(found).matches() ? Optional.empty() : inWholeNumbers(rate);
    throw Expect.failure("permits", found, "a whole number", meant);
  }

  private static Optional<String> inWholeNumbers(Matcher rate) {
    BigInteger permits = new BigInteger("0" + rate.group("whole") + rate.group("part"));
    BigInteger times = BigInteger.TEN.pow(rate.group("part").length());
    BigInteger divisor = permits.gcd(times);
    String count = rate.group("count") == null ? "1" : rate.group("count");
    BigInteger periods = times.divide(divisor).multiply(new BigInteger(count));
    String bytes = rate.group("bytes") == null ? "" : " " + rate.group("bytes").strip();
    String unit = rate.group("unit");
    String meant =
        permits.divide(divisor)
            + bytes
            + (periods.equals(BigInteger.ONE)
                ? " per " + unit
                : " per " + periods + " " + plural(unit))
            + rate.group("rest");
    try {
      Limit unused = Limit.parse(meant);
      return Optional.of(meant);
    } catch (IllegalArgumentException notALimit) {
      return Optional.empty(); // such as one of a calendar, or of more than 366 days
    }
  }

  private static String plural(String unit) {
    return WORDS.contains(unit.toLowerCase(Locale.ROOT)) ? unit + "s" : unit;
  }
}
