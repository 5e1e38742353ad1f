package dev.weir.config;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Warnings of two configurations that may charge one request twice: they use limits of the same
 * names, under the same application in the same Redis, so they share counters. Both are of one web
 * application, or one is in its container, as a Valve is. Configurations of different web
 * applications see different requests, and may share counters.
 */
final class DoubleCharges {

  private static final Logger LOG = System.getLogger("dev.weir.config");

  private DoubleCharges() {}

  /** Warns of a configuration of the same web application. */
  static void warnOfSame(WeirRuntime starting, Collection<WeirRuntime> others) {
    ManagedWeir own = new ManagedWeir(starting);
    for (WeirRuntime other : others) {
      boolean isOfTheSame =
          starting.source().contextPath().isPresent()
              && starting.source().contextPath().equals(other.source().contextPath())
              && starting.source().stage() == other.source().stage();
      ManagedWeir its = new ManagedWeir(other);
      if (isOfTheSame
          && !own.getRedis().isEmpty()
          && own.getApplication().equals(its.getApplication())
          && own.getRedis().equals(its.getRedis())) {
        warn(starting, its.getLimits(), other.settings().name());
      }
    }
  }

  /**
   * Warns of a configuration in the container, in front of this one, or of one of a web application
   * behind it. Only JMX knows both, since they have different class loaders.
   */
  static void warnOfContainer(WeirRuntime starting) {
    ManagedWeir own = new ManagedWeir(starting);
    if (own.getRedis().isEmpty()) {
      return;
    }
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      String application = ObjectName.quote(own.getApplication());
      ObjectName all = new ObjectName("dev.weir:type=Weir,application=" + application + ",*");
      for (ObjectName other : server.queryNames(all, null)) {
        warnOf(other, server, starting, own);
      }
    } catch (JMException | RuntimeException | LinkageError unknown) {
      LOG.log(Level.DEBUG, "other configurations are not known by JMX", unknown);
    }
  }

  private static void warnOf(
      ObjectName other, MBeanServer server, WeirRuntime starting, ManagedWeir own) {
    try {
      boolean isInContainer = server.getAttribute(other, "InContainer").equals(true);
      boolean hasContext =
          own.isInContainer()
              ? other.getKeyProperty("context") != null
              : starting.source().contextPath().isPresent();
      if (hasContext
          && isInContainer != own.isInContainer()
          && server.getAttribute(other, "Redis").equals(own.getRedis())
          && server.getAttribute(other, "Limits") instanceof String[] limits) {
        warn(starting, List.of(limits), ObjectName.unquote(other.getKeyProperty("name")));
      }
    } catch (JMException | RuntimeException ended) {
      LOG.log(Level.DEBUG, () -> other + " ended meanwhile");
    }
  }

  private static void warn(WeirRuntime starting, Collection<String> others, String place) {
    Collection<String> shared = new TreeSet<>(new ManagedWeir(starting).getLimits());
    shared.retainAll(others);
    if (!shared.isEmpty()) {
      starting.warn(
          "%s charges limits of the same names in the same Redis, under the same 'application': %s. A request that both limit is charged twice. Remove one of the two, or give one of them another 'application'"
              .formatted(place, String.join(", ", shared)));
    }
  }
}
