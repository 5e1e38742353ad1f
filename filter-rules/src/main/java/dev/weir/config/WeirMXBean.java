package dev.weir.config;

import java.util.Date;
import java.util.List;
import java.util.Map;

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
 */
public interface WeirMXBean {

  /** Returns {@link WeirStatus#node}. */
  String getNode();

  /** Returns the deciding store: {@code REDIS} or {@code LOCAL}. */
  String getStore();

  /**
   * Returns why Redis does not decide, one primary a line, or empty while it does or there is none.
   */
  String getStoreProblem();

  /** Returns how many nodes share the limits, as last received from Redis, or as configured. */
  int getLiveNodes();

  /** Returns the enabled rules, in order. */
  List<String> getRules();

  /**
   * Returns the number of decisions that allowed a request since the start, by rule. A shadow
   * allows what it would not deny.
   */
  Map<String, Long> getAllowed();

  /**
   * Returns the number of decisions that denied a request since the start, by rule. Each counts for
   * one rule, the first with a limit that binds. What a shadow would deny is not here.
   */
  Map<String, Long> getDenied();

  /** Returns the number of requests that a shadow would have denied since the start, by rule. */
  Map<String, Long> getShadowDenied();

  /**
   * Returns the number of requests that were denied since the start, because the rule had banned
   * their subject, by rule. They are not among {@link #getDenied}.
   */
  Map<String, Long> getBanned();

  /** Returns how many requests were allowed after a wait since the start, by rule. */
  Map<String, Long> getDelayed();

  /** Returns how many delayed requests wait on this node. */
  int getWaiting();

  /**
   * Returns how often since the start a counter in process was used that several subjects share,
   * because their limit had used its part of {@code max-counters}. One subject may then be denied
   * because of others.
   */
  long getOverflowed();

  /** Returns how many requests are in the application, or 0 without {@code overload}. */
  int getInFlight();

  /**
   * Returns the current maximum in flight, derived from request durations, or 0 without {@code
   * overload}.
   */
  int getMaxInFlight();

  /** Returns how many requests were shed because there were too many. */
  long getShed();

  /** Returns the source of the configuration. */
  String getSource();

  /** Returns when the configuration was loaded. */
  Date getLoadedAt();

  /** Returns why the changed file cannot be reloaded, one problem a line, or empty when it can. */
  String getReloadProblem();

  /**
   * Reloads the file, all of it or nothing.
   *
   * @throws IllegalStateException with every problem, one a line; nothing has changed then
   */
  void reload();
}
