package dev.weir.bench;

import java.util.Locale;

/**
 * The disturbances while a row was measured.
 *
 * @param load how many processors other processes used, on average: 0.1 is a tenth of one; NaN
 *     where the machine does not report it
 * @param stealPercent the percentage of the machine's time that its host took for others; NaN
 *     likewise
 */
public record Conditions(double load, double stealPercent) {

  public static final Conditions UNKNOWN = new Conditions(Double.NaN, Double.NaN);

  String shownLoad() {
    return shown(load, "%.2f");
  }

  String shownSteal() {
    return shown(stealPercent, "%.1f");
  }

  private static String shown(double number, String format) {
    return Double.isNaN(number) ? "" : String.format(Locale.ROOT, format, number);
  }

  @Override
  public String toString() {
    return Double.isNaN(load) ? "" : "; load " + shownLoad() + ", steal " + shownSteal() + " %";
  }
}
