package dev.weir.config;

import java.util.Date;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A running {@link Weir} as JMX shows it, {@code
 * dev.weir:type=Weir,application=shop,context=/shop,name=…}. Each configuration that an application
 * has opened is one MBean. It exists until its last user closes it. No attribute holds a subject or
 * a secret.
 *
 * <p>{@code application} is that of the keys in Redis, and is absent without Redis. {@code context}
 * is the path of the web application, and is absent outside of one. All are quoted. {@code name} is
 * the configuration's source. It has the suffix {@code #2} and so on if one process has several of
 * that name.
 *
 * <p>The numbers are those of {@link WeirStatus}, where they are defined. Counts are since the
 * start, and only grow. Attributes about Redis are null, or have no entries, where no Redis is
 * configured.
 */
public interface WeirMXBean {

  @Description("The version of Weir")
  String getVersion();

  @Description("The application of the keys in Redis; empty without it")
  String getApplication();

  @Description("Whether it limits in the container, in front of web applications, as a Valve")
  boolean isInContainer();

  @Description("The name of this node, a new one at each start unless it is configured")
  String getNode();

  // ---------------------------------------------------------------- the store

  @Description("What decides: REDIS while any primary does, else LOCAL")
  String getStore();

  @Description("The Redis that is used, without credentials; empty without it")
  String getRedis();

  @Description("Why Redis does not decide, one primary a line; empty while it does")
  String getStoreProblem();

  @Description("When a primary was last out, or decided again; 1970 before the first time")
  @Nullable Date getStoreSince();

  @Description("How often a primary was out (local), and how often one decided again (redis)")
  Map<String, Long> getStoreSwitches();

  @Description("The number of primaries, by the state of their breaker; closed ones decide")
  Map<String, Long> getPrimaries();

  @Description("The number of primaries that do not decide; 1 while none is known")
  @Nullable Integer getPrimariesOut();

  @Description("Probes of primaries that were out: succeeded, failed")
  Map<String, Long> getProbes();

  @Description("Calls that were sent to Redis")
  @Nullable Long getCalls();

  @Description("Batches that were sent to Redis; at a low load, a batch is one call")
  @Nullable Long getBatches();

  @Description("Calls that wait to be sent")
  @Nullable Integer getCallsWaiting();

  @Description("Batches that may be in flight now")
  @Nullable Integer getBatchesMax();

  @Description("The shortest round trip since the last outage, to the farthest primary")
  @Nullable Long getRoundTripMicros();

  // ---------------------------------------------------------------- nodes

  @Description("Nodes that share the limits, as Redis counts them, or as configured")
  int getLiveNodes();

  @Description("Nodes by which this one divides the limits when it decides in process")
  int getNodesReckoned();

  @Description("Nodes lost within ten minutes; the shares of the limits still count them")
  @Nullable Integer getNodesLost();

  @Description("How far the clock of Redis is ahead of this node's, to half a round trip")
  @Nullable Double getClockSkewMillis();

  // ---------------------------------------------------------------- requests

  @Description("The enabled rules, in order")
  List<String> getRules();

  @Description("The limits that the enabled rules charge, and the counters of their bans")
  List<String> getLimits();

  @Description("Requests, each once, by what became of them")
  Map<String, Long> getRequests();

  @Description("Denials by rule, and by limit and reason; without what shadows would deny")
  Map<String, Map<String, Long>> getDenials();

  @Description("What shadows would have denied since the start, by rule, and by limit and reason")
  Map<String, Map<String, Long>> getShadowDenials();

  @Description("Whether all rules only observe, and deny nothing")
  boolean isShadow();

  @Description("Requests that would have been turned away, while all rules only observed")
  long getShadowShed();

  @Description("The tags of the most denied subjects of each rule, denials of late, and the error")
  Map<String, List<String>> getTopDenied();

  @Description("Decisions by rule, and by outcome and source")
  Map<String, Map<String, Long>> getDecisions();

  @Description("Decisions that allowed a request, by rule; a shadow allows what it would not deny")
  Map<String, Long> getAllowed();

  @Description("Decisions that denied a request, by the rule that denied it first")
  Map<String, Long> getDenied();

  @Description("Requests that a shadow would have denied, by rule")
  Map<String, Long> getShadowDenied();

  @Description("Requests denied since the rule had banned their subject; not among Denied")
  Map<String, Long> getBanned();

  @Description("Requests that were allowed after a wait, by the rule that delays")
  Map<String, Long> getDelayed();

  @Description("Requests that a rule delays now")
  int getWaiting();

  @Description("Requests in the application now; 0 without overload control")
  int getInFlight();

  @Description("Requests that may be in the application at once; 0 without overload control")
  int getMaxInFlight();

  @Description("Requests shed since there were too many")
  long getShed();

  // ---------------------------------------------------------------- counters

  @Description("Counters in process now")
  long getLocalCounters();

  @Description("Counters that may be in process: max-counters")
  int getMaxLocalCounters();

  @Description("Uses of a counter in process that subjects share for want of room, by limit")
  Map<String, Long> getOverflowed();

  @Description("Counters of which this node holds leased permits now")
  int getLeases();

  @Description("Requests that lost the permits of a concurrent limit before they ended")
  long getPermitsLost();

  @Description("How often permits were not given back, by rule")
  Map<String, Long> getRefundsLost();

  @Description("Failures that are no outage")
  long getErrors();

  // ---------------------------------------------------------------- the configuration

  @Description("The source of the configuration")
  String getSource();

  @Description("When the configuration was loaded")
  Date getLoadedAt();

  @Description("Whether the changed file cannot be reloaded")
  boolean isReloadFailing();

  @Description("Why the changed file cannot be reloaded, one problem a line; empty when it can")
  String getReloadProblem();

  @Description("Reloads: succeeded, failed")
  Map<String, Long> getConfigReloads();

  /**
   * Reloads the file, all of it or nothing.
   *
   * @throws IllegalStateException with every problem, one a line; nothing has changed then
   */
  @Description("Reloads the file, all of it or nothing. Throws every problem, one a line")
  void reload();
}
