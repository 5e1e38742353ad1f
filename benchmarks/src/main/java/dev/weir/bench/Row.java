package dev.weir.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * The result of a metric: ours next to a peer's, medians where it was measured in rounds.
 *
 * @param peerName the name of the peer, or of the measure for ours
 * @param conditions of the machine while the row was measured
 * @param note further remarks, or why it is void; empty for nothing
 */
public record Row(
    String metric, double ours, double peer, String peerName, Conditions conditions, String note) {

  private static final MathContext DIGITS = new MathContext(4, RoundingMode.HALF_UP);

  /** Creates a row with conditions that are not known yet. */
  public Row(String metric, double ours, double peer, String peerName) {
    this(metric, ours, peer, peerName, Conditions.UNKNOWN, "");
  }

  /**
   * Creates a row without a figure.
   *
   * @param reason why there is none, without a comma
   */
  public static Row voided(String metric, String peerName, String reason) {
    return new Row(metric, Double.NaN, Double.NaN, peerName, Conditions.UNKNOWN, "void: " + reason);
  }

  public boolean isVoid() {
    return Double.isNaN(ours);
  }

  /** Returns the same row with this further note; a void row keeps its reason alone. */
  public Row noted(String text) {
    String all = note.isEmpty() ? text : note + "; " + text;
    return isVoid() ? this : new Row(metric, ours, peer, peerName, conditions, all);
  }

  /** Returns the same row, measured under these conditions. */
  Row under(Conditions known) {
    return new Row(metric, ours, peer, peerName, known, note);
  }

  /** Returns ours divided by the peer's: a ratio of medians, not a median of ratios. */
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

  /**
   * Formats four digits, or all of a whole number; empty if not finite, as when a peer has zero.
   */
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
