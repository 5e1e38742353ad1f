package dev.weir.config.internal.document;

import dev.weir.OnOutage;
import dev.weir.config.Delays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Sets of words of which a setting must be one, in the order in which messages list them. */
public final class Choices {

  static final Map<String, Boolean> FLAG = ordered("true", true, "false", false);

  public static final Map<String, OnOutage> ON_OUTAGE = new LinkedHashMap<>();

  public static final Map<String, Delays> DELAYS = named(Delays.values());

  static {
    for (OnOutage policy : OnOutage.values()) {
      ON_OUTAGE.put(policy.toString(), policy);
    }
  }

  private Choices() {}

  /** Returns the constants by name, in lower case and with hyphens. */
  public static <E extends Enum<E>> Map<String, E> named(E[] constants) {
    Map<String, E> choices = new LinkedHashMap<>();
    for (E constant : constants) {
      choices.put(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'), constant);
    }
    return choices;
  }

  public static <T> Map<String, T> ordered(String first, T one, String second, T other) {
    Map<String, T> choices = new LinkedHashMap<>();
    choices.put(first, one);
    choices.put(second, other);
    return choices;
  }
}
