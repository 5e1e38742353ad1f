package dev.weir.config;

import static java.util.stream.Collectors.joining;

import dev.weir.http.RequestCounts;
import dev.weir.http.Rule;
import dev.weir.http.RuleLimiter;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.internal.store.Failures;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** An engine as JMX shows it. A failure of JMX is logged and has no other effect. */
record Management(WeirRuntime runtime) implements WeirMXBean {

  private static final Logger LOG = System.getLogger("dev.weir.config");
  private static final int MOST_OF_ONE_NAME = 10_000;

  /**
   * Registers an engine as an MBean, and returns an action that unregisters it. Without Redis, the
   * name of the application is empty.
   */
  static AutoCloseable show(
      WeirRuntime runtime, String application, Optional<String> contextPath, String source) {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name =
          register(new Management(runtime), server, keys(application, contextPath), source);
      return () -> unregister(server, name);
    } catch (JMException | RuntimeException | LinkageError failed) {
      LOG.log(Level.WARNING, () -> source + ": not shown by JMX: " + Failures.brief(failed));
      return () -> {};
    }
  }

  private static ObjectName register(
      Management bean, MBeanServer server, String keys, String source) throws JMException {
    for (int instance = 1; ; instance++) {
      ObjectName name = name(keys, instance == 1 ? source : source + "#" + instance);
      try {
        server.registerMBean(bean, name);
        return name;
      } catch (InstanceAlreadyExistsException taken) {
        if (instance == MOST_OF_ONE_NAME) {
          throw taken;
        }
      }
    }
  }

  private static String keys(String application, Optional<String> contextPath) {
    String named =
        application.isEmpty() ? "" : "application=" + ObjectName.quote(application) + ",";
    return named
        + contextPath
            .map(path -> "context=" + ObjectName.quote(path.isEmpty() ? "/" : path) + ",")
            .orElse("");
  }

  private static ObjectName name(String keys, String source) throws JMException {
    return new ObjectName("dev.weir:type=Weir," + keys + "name=" + ObjectName.quote(source));
  }

  private static void unregister(MBeanServer server, ObjectName name) {
    try {
      server.unregisterMBean(name);
    } catch (InstanceNotFoundException gone) {
      // it has already been unregistered elsewhere
    } catch (JMException | RuntimeException failed) {
      LOG.log(Level.WARNING, () -> name + ": still shown by JMX: " + Failures.brief(failed));
    }
  }

  @Override
  public String getNode() {
    return runtime.status().node();
  }

  @Override
  public String getStore() {
    return runtime.status().store().name();
  }

  @Override
  public String getStoreProblem() {
    return runtime.status().redis().stream()
        .flatMap(redis -> redis.primaries().stream())
        .flatMap(each -> each.trouble().stream().map(why -> each.address() + ": " + why))
        .collect(joining("\n"));
  }

  @Override
  public int getLiveNodes() {
    return runtime.status().liveNodes();
  }

  @Override
  public List<String> getRules() {
    return runtime.settings().rules().enabled().stream().map(Rule::name).toList();
  }

  @Override
  public Map<String, Long> getAllowed() {
    return counts(RuleOutcome.ALLOWED);
  }

  @Override
  public Map<String, Long> getDenied() {
    return counts(RuleOutcome.DENIED);
  }

  @Override
  public Map<String, Long> getShadowDenied() {
    return counts(RuleOutcome.SHADOW_DENIED);
  }

  @Override
  public Map<String, Long> getBanned() {
    return counts(RuleOutcome.BANNED);
  }

  @Override
  public Map<String, Long> getDelayed() {
    Map<String, Long> counts = noneYet();
    counts.putAll(runtime.status().counts().delayed());
    return counts;
  }

  @Override
  public int getWaiting() {
    return runtime.status().waiting();
  }

  @Override
  public long getOverflowed() {
    return runtime.status().overflowed();
  }

  private Map<String, Long> counts(RuleOutcome outcome) {
    Map<String, Long> counts = noneYet();
    for (RequestCounts.Decisions decisions : runtime.status().decisions()) {
      if (decisions.outcome() == outcome) {
        counts.merge(decisions.rule(), decisions.count(), Long::sum);
      }
    }
    return counts;
  }

  private Map<String, Long> noneYet() {
    Map<String, Long> counts = new TreeMap<>();
    runtime.ruleNames().forEach(rule -> counts.put(rule, 0L));
    return counts;
  }

  @Override
  public int getInFlight() {
    return runtime.status().overload().map(RuleLimiter.InFlight::inFlight).orElse(0);
  }

  @Override
  public int getMaxInFlight() {
    return runtime.status().overload().map(RuleLimiter.InFlight::number).orElse(0);
  }

  @Override
  public long getShed() {
    return runtime.status().overload().map(RuleLimiter.InFlight::shed).orElse(0L);
  }

  @Override
  public String getSource() {
    return runtime.reloads().loaded().source();
  }

  @Override
  public Date getLoadedAt() {
    return Date.from(runtime.reloads().loaded().at());
  }

  @Override
  public String getReloadProblem() {
    return runtime.reloads().loaded().problem().orElse("");
  }

  /** Reloads, and reports a failure as an exception that every console knows. */
  @Override
  public void reload() {
    try {
      runtime.reloads().byHand();
    } catch (ConfigurationException refused) {
      throw new IllegalStateException(refused.getMessage());
    }
  }
}
