package dev.weir.redis;

import java.math.BigInteger;

/** An exact fraction, for models. */
record Rational(BigInteger numerator, BigInteger denominator) implements Comparable<Rational> {

  static final Rational ZERO = of(0);

  Rational {
    if (denominator.signum() <= 0) {
      throw new IllegalArgumentException("denominator: " + denominator + " (expected: > 0)");
    }
  }

  static Rational of(long whole) {
    return new Rational(BigInteger.valueOf(whole), BigInteger.ONE);
  }

  static Rational of(long numerator, long denominator) {
    return new Rational(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
  }

  /** Of two with one denominator, which most are, nothing is reduced: that is what takes time. */
  Rational plus(Rational other) {
    if (denominator.equals(other.denominator)) {
      return new Rational(numerator.add(other.numerator), denominator);
    }
    BigInteger sum =
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator));
    return reduced(sum, denominator.multiply(other.denominator));
  }

  Rational minus(Rational other) {
    return plus(new Rational(other.numerator.negate(), other.denominator));
  }

  Rational times(Rational other) {
    return reduced(numerator.multiply(other.numerator), denominator.multiply(other.denominator));
  }

  Rational per(Rational other) {
    return reduced(numerator.multiply(other.denominator), denominator.multiply(other.numerator));
  }

  Rational atLeastZero() {
    return numerator.signum() < 0 ? ZERO : this;
  }

  long floor() {
    BigInteger[] parts = numerator.divideAndRemainder(denominator);
    return parts[0].longValueExact() - (parts[1].signum() < 0 ? 1 : 0);
  }

  long ceil() {
    BigInteger[] parts = numerator.divideAndRemainder(denominator);
    return parts[0].longValueExact() + (parts[1].signum() > 0 ? 1 : 0);
  }

  @Override
  public int compareTo(Rational other) {
    if (denominator.equals(other.denominator)) {
      return numerator.compareTo(other.numerator);
    }
    return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
  }

  private static Rational reduced(BigInteger numerator, BigInteger denominator) {
    BigInteger common = numerator.gcd(denominator).max(BigInteger.ONE);
    return new Rational(numerator.divide(common), denominator.divide(common));
  }
}
