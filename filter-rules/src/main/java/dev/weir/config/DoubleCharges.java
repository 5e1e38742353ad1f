package dev.weir.config;

import dev.weir.http.Rule;
import dev.weir.redis.RedisOptions;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Warnings of two configurations that may charge one request twice: they have rules of the same
 * names under the same application, so they share counters. Both are in one web application, or one
 * is in its container, as a Valve is. Configurations of different web applications see different
 * requests, and may share counters.
 */
final class DoubleCharges {

  private static final Logger LOG = System.getLogger("dev.weir.config");
  private static final String CONTEXT = "context";

  private DoubleCharges() {}

  /** Warns of a configuration of the same web application. */
  static void warnOf(WeirRuntime starting, Collection<WeirRuntime> others) {
    for (WeirRuntime other : others) {
      if (application(starting).isPresent() && application(starting).equals(application(other))) {
        warn(starting, names(other), other.settings().name());
      }
    }
  }

  /**
   * Warns of a configuration of the container, or of one that it contains. Only JMX knows both,
   * since they have different class loaders.
   *
   * @param own the name of the starting one
   */
  static void warnOf(WeirRuntime starting, MBeanServer server, ObjectName own) {
    if (application(starting).isEmpty()) {
      return;
    }
    try {
      String application = own.getKeyProperty("application");
      ObjectName all = new ObjectName("dev.weir:type=Weir,application=" + application + ",*");
      for (ObjectName other : server.queryNames(all, null)) {
        boolean isOneInTheOther =
            (other.getKeyProperty(CONTEXT) == null) != (own.getKeyProperty(CONTEXT) == null);
        if (isOneInTheOther && server.getAttribute(other, "Rules") instanceof String[] rules) {
          warn(starting, List.of(rules), ObjectName.unquote(other.getKeyProperty("name")));
        }
      }
    } catch (JMException | RuntimeException ended) {
      LOG.log(Level.DEBUG, "another configuration ended meanwhile", ended);
    }
  }

  private static void warn(WeirRuntime starting, Collection<String> others, String place) {
    Collection<String> shared = new TreeSet<>(names(starting));
    shared.retainAll(others);
    if (!shared.isEmpty()) {
      starting.warn(
          "%s under the same 'application' has rules of the same names too: %s. A request that both see is charged twice. Remove one of the two, or give one of them another 'application'"
              .formatted(place, String.join(", ", shared)));
    }
  }

  private static List<String> names(WeirRuntime runtime) {
    return runtime.settings().rules().enabled().stream().map(Rule::name).toList();
  }

  private static Optional<String> application(WeirRuntime runtime) {
    return runtime.settings().counting().redis().map(RedisOptions::application);
  }
}
