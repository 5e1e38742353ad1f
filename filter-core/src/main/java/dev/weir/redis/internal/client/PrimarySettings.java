package dev.weir.redis.internal.client;

import java.time.Duration;

/**
 * The settings that the clients of all primaries share.
 *
 * @param timer closes connections that do not respond
 * @param deadline the longest time of a reply
 * @param traffic counts sent batches and calls
 * @param batching whether decisions share commands
 * @param unsettled takes calls that no caller waits for any longer
 * @param onTopologySuspect runs when a primary is lost, or says that it is none any more: another
 *     server may have taken over
 */
public record PrimarySettings(
    Connector connector,
    SocketTimer timer,
    Reports reports,
    Traffic traffic,
    Duration deadline,
    boolean batching,
    UnsettledCalls unsettled,
    Runnable onTopologySuspect) {

  public PrimarySettings withOnTopologySuspect(Runnable called) {
    return new PrimarySettings(
        connector, timer, reports, traffic, deadline, batching, unsettled, called);
  }
}
