package dev.weir.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * What a metric came to: ours beside a peer's, medians where it was measured in rounds.
 *
 * @param peerName who that is, or what ours is measured by
 * @param conditions of the machine while the row was measured
 * @param note what else is to be known of it, or why it is void; empty for nothing
 */
public record Row(
    String metric, double ours, double peer, String peerName, Conditions conditions, String note) {

  private static final MathContext DIGITS = new MathContext(4, RoundingMode.HALF_UP);

  /** A row whose conditions are not known yet. */
  public Row(String metric, double ours, double peer, String peerName) {
    this(metric, ours, peer, peerName, Conditions.UNKNOWN, "");
  }

  /**
   * A row without a figure.
   *
   * @param reason why there is none, without a comma
   */
  public static Row voided(String metric, String peerName, String reason) {
    return new Row(metric, Double.NaN, Double.NaN, peerName, Conditions.UNKNOWN, "void: " + reason);
  }

  public boolean isVoid() {
    return Double.isNaN(ours);
  }

  /** The same row with this note, unless it says already why it is void. */
  public Row noted(String text) {
    return isVoid() ? this : new Row(metric, ours, peer, peerName, conditions, text);
  }

  /** The same row, measured under these conditions. */
  Row under(Conditions known) {
    return new Row(metric, ours, peer, peerName, known, note);
  }

  /** Ours divided by the peer's: of medians, not a median of ratios. */
  public double ratio() {
    return ours / peer;
  }

  @Override
  public String toString() {
    String figures =
        isVoid()
            ? note
            : "%s, %s %s, ratio %s%s"
                .formatted(
                    shown(ours),
                    peerName,
                    shown(peer),
                    shown(ratio()),
                    note.isEmpty() ? "" : ", " + note);
    return metric + ": " + figures + conditions;
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
