package dev.weir.redis;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * An exact fraction, for models: two longs as long as they hold it, else two of any size. It is
 * reduced only where that keeps it small; nothing is ever rounded.
 */
sealed interface Rational extends Comparable<Rational> {

  static Rational of(long whole) {
    return new Small(whole, 1);
  }

  static Rational of(long numerator, long denominator) {
    if (denominator <= 0) {
      throw new IllegalArgumentException("denominator: " + denominator + " (expected: > 0)");
    }
    return new Small(numerator, denominator);
  }

  static Rational of(BigInteger numerator, BigInteger denominator) {
    BigInteger common = numerator.gcd(denominator).max(BigInteger.ONE);
    BigInteger over = numerator.divide(common);
    BigInteger under = denominator.divide(common);
    return over.bitLength() < Long.SIZE && under.bitLength() < Long.SIZE
        ? of(over.longValueExact(), under.longValueExact())
        : new Big(over, under);
  }

  BigInteger numerator();

  BigInteger denominator();

  long floor();

  long ceil();

  /** Returns the inverse of a fraction above 0. */
  Rational inverse();

  default Rational plus(Rational other) {
    Rational small = this instanceof Small a && other instanceof Small b ? a.sum(b) : null;
    return small != null
        ? small
        : of(
            numerator()
                .multiply(other.denominator())
                .add(other.numerator().multiply(denominator())),
            denominator().multiply(other.denominator()));
  }

  default Rational minus(Rational other) {
    return plus(
        other instanceof Small small && small.over != Long.MIN_VALUE
            ? new Small(-small.over, small.under)
            : of(other.numerator().negate(), other.denominator()));
  }

  default Rational times(Rational other) {
    Rational small = this instanceof Small a && other instanceof Small b ? a.product(b) : null;
    return small != null
        ? small
        : of(numerator().multiply(other.numerator()), denominator().multiply(other.denominator()));
  }

  /**
   * Returns how often the other goes into this.
   *
   * @param other more than 0
   */
  default Rational per(Rational other) {
    return times(other.inverse());
  }

  default Rational atLeastZero() {
    return compareTo(of(0)) < 0 ? of(0) : this;
  }

  @Override
  default int compareTo(Rational other) {
    if (this instanceof Small a && other instanceof Small b) {
      return a.compareToSmall(b);
    }
    return numerator()
        .multiply(other.denominator())
        .compareTo(other.numerator().multiply(denominator()));
  }

  /**
   * A fraction that two longs hold.
   *
   * @param under more than 0
   */
  record Small(long over, long under) implements Rational {

    @Override
    public BigInteger numerator() {
      return BigInteger.valueOf(over);
    }

    @Override
    public BigInteger denominator() {
      return BigInteger.valueOf(under);
    }

    @Override
    @SuppressWarnings("ArgumentSelectionDefectChecker") // the inverse swaps the two
    public Rational inverse() {
      return Rational.of(under, over);
    }

    /** Returns null where it is too large. */
    private @Nullable Rational sum(Small other) {
      if (under == other.under) {
        return sum(over, other.over, under);
      }
      if (other.under % under == 0) {
        return other.sum(this);
      }
      if (under % other.under != 0 || overflows(other.over, under / other.under)) {
        return null;
      }
      return sum(over, other.over * (under / other.under), under);
    }

    private static @Nullable Rational sum(long one, long other, long under) {
      long sum = one + other;
      boolean overflows = ((one ^ sum) & (other ^ sum)) < 0;
      return overflows ? null : new Small(sum, under);
    }

    /** Returns null where it is too large. */
    private @Nullable Rational product(Small other) {
      if (other.under != 1) {
        return under == 1 ? other.product(this) : null;
      }
      if (other.over != 0 && under % other.over == 0) {
        long reduced = under / other.over;
        return reduced > 0 ? new Small(over, reduced) : null;
      }
      return overflows(over, other.over) ? null : new Small(over * other.over, under);
    }

    private int compareToSmall(Small other) {
      if (under == other.under) {
        return Long.compare(over, other.over);
      }
      int high =
          Long.compare(Math.multiplyHigh(over, other.under), Math.multiplyHigh(other.over, under));
      return high != 0 ? high : Long.compareUnsigned(over * other.under, other.over * under);
    }

    private static boolean overflows(long one, long other) {
      return Math.multiplyHigh(one, other) != (one * other) >> (Long.SIZE - 1);
    }

    @Override
    public long floor() {
      return Math.floorDiv(over, under);
    }

    @Override
    public long ceil() {
      return Math.addExact(Math.floorDiv(over, under), Math.floorMod(over, under) == 0 ? 0 : 1);
    }
  }

  /**
   * A fraction of any size.
   *
   * @param denominator more than 0
   */
  record Big(BigInteger numerator, BigInteger denominator) implements Rational {

    @Override
    @SuppressWarnings("ArgumentSelectionDefectChecker") // the inverse swaps the two
    public Rational inverse() {
      return Rational.of(denominator, numerator);
    }

    @Override
    public long floor() {
      BigInteger[] parts = numerator.divideAndRemainder(denominator);
      return parts[0].longValueExact() - (parts[1].signum() < 0 ? 1 : 0);
    }

    @Override
    public long ceil() {
      BigInteger[] parts = numerator.divideAndRemainder(denominator);
      return parts[0].longValueExact() + (parts[1].signum() > 0 ? 1 : 0);
    }
  }
}
