package dev.weir.redis;

import java.time.Duration;

/**
 * What the clients of all primaries have in common.
 *
 * @param timer closes connections that do not respond
 * @param deadline how long a reply may take
 * @param batching whether decisions share commands
 * @param refunds for grants that no caller waits for any longer
 * @param onDoubt called when a primary is lost, or says that it is none any more: another server
 *     may have taken over
 */
record PrimarySettings(
    Connector connector,
    SocketTimer timer,
    Reports reports,
    Duration deadline,
    Probes probes,
    boolean batching,
    Refunds refunds,
    Runnable onDoubt) {

  PrimarySettings onDoubt(Runnable called) {
    return new PrimarySettings(
        connector, timer, reports, deadline, probes, batching, refunds, called);
  }
}
