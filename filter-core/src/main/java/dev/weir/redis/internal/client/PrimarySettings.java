package dev.weir.redis.internal.client;

import java.time.Duration;

/**
 * What the clients of all primaries have in common.
 *
 * @param timer closes connections that do not respond
 * @param deadline how long a reply may take
 * @param traffic counts what is sent
 * @param batching whether decisions share commands
 * @param late takes replies that no caller waits for any longer
 * @param onTopologySuspect called when a primary is lost, or says that it is none any more: another
 *     server may have taken over
 */
public record PrimarySettings(
    Connector connector,
    SocketTimer timer,
    Reports reports,
    Traffic traffic,
    Duration deadline,
    boolean batching,
    LateReplies late,
    Runnable onTopologySuspect) {

  public PrimarySettings withOnTopologySuspect(Runnable called) {
    return new PrimarySettings(
        connector, timer, reports, traffic, deadline, batching, late, called);
  }
}
