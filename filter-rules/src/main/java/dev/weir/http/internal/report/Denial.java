package dev.weir.http.internal.report;

import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.weir.http.RequestCounts.Reason;
import dev.weir.http.RequestView;
import dev.weir.http.Rule;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.store.Source;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Who was denied, and by what, as operators see it. Immutable.
 *
 * @param limit the name of the limit that denied, or {@link #NONE} where nothing was counted
 * @param source that denied. Empty for a list
 * @param tag of the subject that was counted, or {@link #NONE}
 */
public record Denial(Rule rule, String limit, Reason reason, Optional<Source> source, String tag) {

  /** Stands for what is not known, as in access logs. */
  public static final String NONE = "-";

  /** In lower case, as in metrics. */
  private static final Map<Source, String> SOURCES =
      Stream.of(Source.values())
          .collect(toUnmodifiableMap(it -> it, it -> it.name().toLowerCase(Locale.ROOT)));

  /** The denial of a request that the node has no room for. No rule and no limit of one did it. */
  private static final String OVERLOAD = NONE + "/overload";

  /** Keeps on the request that the node had no room for it. */
  public static void keepShedOn(RequestView request) {
    request.logAttribute(RequestLimiter.DENIED, OVERLOAD);
  }

  /** Keeps on the request that overload control would shed it, if it were not on trial. */
  public static void keepShadowShedOn(RequestView request) {
    addShadow(request, OVERLOAD + "/" + NONE);
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
      addShadow(request, name + "/" + tag);
      if (request.attribute(RequestLimiter.SUBJECT) != null) {
        return;
      }
    }
    request.logAttribute(RequestLimiter.SOURCE, source.map(SOURCES::get).orElse("rule"));
    request.logAttribute(RequestLimiter.SUBJECT, tag);
  }

  private static void addShadow(RequestView request, String shadow) {
    Object others = request.attribute(RequestLimiter.SHADOW_DENIED);
    request.logAttribute(
        RequestLimiter.SHADOW_DENIED, others == null ? shadow : others + "," + shadow);
  }

  /** Returns a name without spaces and line ends, which would end a column of a log. */
  private static String printable(String name) {
    StringBuilder text = null; // nearly always, the name is printable
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) <= ' ' || name.charAt(i) > '~') {
        text = text == null ? new StringBuilder(name) : text;
        text.setCharAt(i, '_');
      }
    }
    return text == null ? name : text.toString();
  }
}
