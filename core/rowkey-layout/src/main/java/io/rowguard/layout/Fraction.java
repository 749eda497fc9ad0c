package io.rowguard.layout;

import java.math.BigInteger;

/** An exact fraction that is not negative. Immutable. */
final class Fraction {
  static final Fraction ZERO = of(0, 1);
  static final Fraction ONE = of(1, 1);

  private final BigInteger numerator;
  private final BigInteger denominator;

  private Fraction(BigInteger numerator, BigInteger denominator) {
    BigInteger divisor = numerator.gcd(denominator);
    this.numerator = numerator.divide(divisor);
    this.denominator = denominator.divide(divisor);
  }

  static Fraction of(long numerator, long denominator) {
    return new Fraction(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
  }

  Fraction plus(Fraction other) {
    return new Fraction(
        numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
        denominator.multiply(other.denominator));
  }

  /** This minus {@code other}, which must not be larger. */
  Fraction minus(Fraction other) {
    return new Fraction(
        numerator.multiply(other.denominator).subtract(other.numerator.multiply(denominator)),
        denominator.multiply(other.denominator));
  }

  Fraction times(Fraction other) {
    return new Fraction(
        numerator.multiply(other.numerator), denominator.multiply(other.denominator));
  }

  /** This divided by {@code other}, which must not be zero. */
  Fraction over(Fraction other) {
    return new Fraction(
        numerator.multiply(other.denominator), denominator.multiply(other.numerator));
  }

  boolean isZero() {
    return numerator.signum() == 0;
  }

  boolean isBelow(Fraction other) {
    return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator))
        < 0;
  }
}
