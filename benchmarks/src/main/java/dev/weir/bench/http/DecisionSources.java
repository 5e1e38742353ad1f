package dev.weir.bench.http;

import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;

/**
 * The decisions that a filter of Weir has made since its start, as its MBean counts them. Any build
 * has one, and no class of the filter is needed to read it.
 *
 * @param bySource such as {@code redis}, or {@code local} in an outage
 */
record DecisionSources(Map<String, Long> bySource) {

  /**
   * Returns those of the application of this name.
   *
   * @throws IllegalStateException when no Weir limits it
   */
  static DecisionSources of(String application) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName name = new ObjectName("dev.weir:type=Weir,context=\"/" + application + "\",*");
      Set<ObjectName> found = server.queryNames(name, null);
      if (found.size() != 1) {
        throw new IllegalStateException(
            "%s: %d MBeans (expected: that of its filter)".formatted(application, found.size()));
      }
      Object decisions = server.getAttribute(found.iterator().next(), "Decisions");
      return new DecisionSources(summed((TabularData) decisions));
    } catch (JMException e) {
      throw new IllegalStateException(application + ": no decisions in its MBean", e);
    }
  }

  /** Returns the sum over the rules, and over the outcomes that precede the source in a name. */
  private static Map<String, Long> summed(TabularData byRule) {
    Map<String, Long> sums = new TreeMap<>();
    for (CompositeData rule : rows(byRule)) {
      for (CompositeData one : rows((TabularData) rule.get("value"))) {
        String name = (String) one.get("key");
        sums.merge(name.substring(name.indexOf(' ') + 1), (Long) one.get("value"), Long::sum);
      }
    }
    return sums;
  }

  @SuppressWarnings("unchecked") // as its values are defined
  private static Collection<CompositeData> rows(TabularData table) {
    return (Collection<CompositeData>) table.values();
  }

  /**
   * Fails if any decision since then has another source, or if fewer were made than requests were
   * answered.
   *
   * @param application names it in the message
   * @param usual the sources of its decisions
   */
  void requireSince(DecisionSources before, String application, Set<String> usual, long requests) {
    long made = 0;
    for (Map.Entry<String, Long> source : bySource.entrySet()) {
      long count = source.getValue() - before.bySource.getOrDefault(source.getKey(), 0L);
      if (count > 0 && !usual.contains(source.getKey())) {
        throw new IllegalStateException(
            String.format(
                Locale.ROOT,
                "%s: %d decisions by %s (expected: by %s alone)",
                application,
                count,
                source.getKey(),
                usual));
      }
      made += count;
    }
    if (made < requests) {
      throw new IllegalStateException(
          "%s: %d decisions (expected: at least %d, one for each request)"
              .formatted(application, made, requests));
    }
  }
}
