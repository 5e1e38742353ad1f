package dev.weir.redis;

import java.time.Duration;

/**
 * What lanes are made of, whatever the topology.
 *
 * @param deadline how long a probe may take
 * @param trips how decisions travel
 * @param onDoubt told when a lane's primary is lost, or says that it is none any more: another may
 *     have taken over
 */
record LaneParts(
    Connector connector,
    Reports reports,
    Duration deadline,
    Probes probes,
    RedisTrips trips,
    Runnable onDoubt) {

  /** Where nobody looks for another primary. */
  LaneParts(
      Connector connector, Reports reports, Duration deadline, Probes probes, RedisTrips trips) {
    this(connector, reports, deadline, probes, trips, () -> {});
  }

  LaneParts onDoubt(Runnable told) {
    return new LaneParts(connector, reports, deadline, probes, trips, told);
  }
}
