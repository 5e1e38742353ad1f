package dev.weir.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * What a metric came to: ours beside a peer's, medians where it was measured in rounds.
 *
 * @param peerName who that is, or what ours is measured by
 */
public record Row(String metric, double ours, double peer, String peerName) {

  private static final MathContext DIGITS = new MathContext(4, RoundingMode.HALF_UP);

  /** Ours divided by the peer's: of medians, not a median of ratios. */
  public double ratio() {
    return ours / peer;
  }

  @Override
  public String toString() {
    return "%s: %s, %s %s, ratio %s"
        .formatted(metric, shown(ours), peerName, shown(peer), shown(ratio()));
  }

  /** Four digits, and all of a whole number; empty for what is none, as where a peer has zero. */
  static String shown(double number) {
    if (!Double.isFinite(number)) {
      return "";
    }
    if (Math.abs(number) >= 10_000) {
      return String.valueOf(Math.round(number));
    }
    BigDecimal plain = new BigDecimal(number).round(DIGITS).stripTrailingZeros();
    return plain.signum() == 0 ? "0" : plain.toPlainString();
  }
}
