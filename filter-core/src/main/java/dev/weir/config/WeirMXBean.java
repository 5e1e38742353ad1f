package dev.weir.config;

import java.util.Date;
import java.util.List;
import java.util.Map;

/**
 * A running {@link Weir} as JMX shows it, {@code dev.weir:type=Weir,application=shop,name=…}: each
 * configuration that an application has opened is one, and is there until the last to use it closes
 * it. No attribute holds a subject or a secret.
 *
 * <p>{@code application} is that of the keys in Redis, and is left out without Redis; {@code name}
 * is the configuration's source, quoted, with {@code #2} and so on behind it where one process has
 * several of that name.
 */
public interface WeirMXBean {

  /** As {@link WeirStatus#node}. */
  String getNode();

  /** Who decides: {@code REDIS} or {@code LOCAL}. */
  String getStore();

  /** How many nodes share the limits, as last heard from Redis, or as configured. */
  int getLiveNodes();

  /** The rules that are enabled, in order. */
  List<String> getRules();

  /** How many decisions there were since the start, by rule, that let a request pass. */
  Map<String, Long> getAllowed();

  /** How many requests each rule denied since the start; each counts for one rule. */
  Map<String, Long> getDenied();

  /** How many requests have waited for a rule and were let in since the start, by rule. */
  Map<String, Long> getDelayed();

  /** How many requests wait on this node for what a rule delays. */
  int getWaiting();

  /** How many requests are in the application; 0 without {@code overload}. */
  int getInFlight();

  /** How many may be, as follows from what they take; 0 without {@code overload}. */
  int getMostInFlight();

  /** How many requests were turned away since there were too many. */
  long getShed();

  /** What the configuration was read from. */
  String getSource();

  /** When it was taken up. */
  Date getLoadedAt();

  /** Why what the file became since is not taken up, one problem a line; empty when it is. */
  String getReloadProblem();

  /**
   * Reads the file anew and takes it up, all of it or nothing.
   *
   * @throws IllegalStateException with all that is wrong, one problem a line; nothing has changed
   *     then
   */
  void reload();
}
