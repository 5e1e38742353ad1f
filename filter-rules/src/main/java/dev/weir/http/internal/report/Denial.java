package dev.weir.http.internal.report;

import dev.weir.http.RequestCounts.Reason;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.http.spi.RequestLimiter;

/**
 * Who was denied, and by what, as operators see it. Immutable.
 *
 * @param limit the name of the limit that denied, or {@link #NONE} where nothing was counted
 * @param source in lower case, as in metrics
 * @param tag of the subject that was counted, or {@link #NONE}
 */
public record Denial(Rule rule, String limit, Reason reason, String source, String tag) {

  /** Stands for what is not known, as in access logs. */
  public static final String NONE = "-";

  /** The denial of a request that the node has no room for. No rule and no limit of one did it. */
  private static final String OVERLOAD = NONE + "/overload";

  /** Keeps on the request that the node had no room for it. */
  public static void keepShedOn(RequestView request) {
    request.logAttribute(RequestLimiter.DENIED, OVERLOAD);
  }

  /**
   * Keeps this on the request, for access logs. A shadow adds itself to other shadows. It has the
   * attributes of the source and of the subject only if there is no other denial.
   */
  public void keepOn(RequestView request) {
    String name = printable(rule.name()) + "/" + printable(limit);
    if (!rule.isShadow()) {
      request.logAttribute(RequestLimiter.DENIED, name);
    } else {
      Object others = request.attribute(RequestLimiter.SHADOW_DENIED);
      String shadow = name + "/" + tag;
      request.logAttribute(
          RequestLimiter.SHADOW_DENIED, others == null ? shadow : others + "," + shadow);
      if (others != null || request.attribute(RequestLimiter.DENIED) != null) {
        return;
      }
    }
    request.logAttribute(RequestLimiter.SOURCE, source);
    request.logAttribute(RequestLimiter.SUBJECT, tag);
  }

  /** Returns a name without spaces and line ends, which would end a column of a log. */
  private static String printable(String name) {
    StringBuilder text = new StringBuilder(name);
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
        text.setCharAt(i, '_');
      }
    }
    return text.toString();
  }
}
