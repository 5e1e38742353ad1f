package dev.weir.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The units of sizes: 1000 bytes are a kB, 1024 bytes are a KiB. Sizes are whole numbers of bytes.
 */
public enum ByteUnit {
  B(1),
  KB(1_000L),
  MB(1_000_000L),
  GB(1_000_000_000L),
  TB(1_000_000_000_000L),
  KIB(1L << 10),
  MIB(1L << 20),
  GIB(1L << 30),
  TIB(1L << 40);

  private static final String NAMES = "B, kB, MB, GB, TB, KiB, MiB, GiB or TiB";
  private static final String EXPECTED = "a size such as 16 KiB or 100 MB";
  private static final Pattern FORM = Pattern.compile("([0-9][0-9_]*)\\s*(\\p{L}+)");

  private final long bytes;

  ByteUnit(long bytes) {
    this.bytes = bytes;
  }

  /**
   * Returns the bytes of a size such as {@code 16 KiB}. A number must have a unit.
   *
   * @throws IllegalArgumentException when the text is not a size, or is a size of 2^53 bytes or
   *     more
   */
  public static long parse(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw Expect.failure("size", "'" + text + "'", EXPECTED);
    }
    long count = Expect.whole("size", form.group(1));
    return named(form.group(2))
        .orElseThrow(() -> Expect.failure("unit", "'" + form.group(2) + "'", NAMES))
        .bytes("size", count);
  }

  /**
   * Returns the unit that this word is or is meant to be; empty when there is none.
   *
   * @throws IllegalArgumentException when its b is lowercase, which means bits
   */
  public static Optional<ByteUnit> named(String word) {
    if (word.equalsIgnoreCase("byte") || word.equalsIgnoreCase("bytes")) {
      return Optional.of(B);
    }
    Optional<ByteUnit> unit =
        Arrays.stream(values()).filter(known -> known.name().equalsIgnoreCase(word)).findFirst();
    if (unit.isPresent() && !word.endsWith("B")) {
      throw Expect.failure(
          "unit", "'" + word + "'", NAMES + ", with a capital B: a small one means bits");
    }
    return unit;
  }

  /** Returns the units as they are written. */
  public static List<String> names() {
    return List.of("B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "bytes");
  }

  /**
   * Returns the bytes of this many units.
   *
   * @throws IllegalArgumentException when the count is negative, or the result is 2^53 bytes or
   *     more
   */
  public long bytes(String field, long count) {
    if (count < 0 || count > (BucketUnits.EXACT - 1) / bytes) {
      throw Expect.failure(field, count + " " + name(), "at least 0, and less than 2^53 bytes");
    }
    return count * bytes;
  }
}
