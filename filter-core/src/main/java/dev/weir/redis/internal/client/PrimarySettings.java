package dev.weir.redis.internal.client;

import dev.weir.redis.internal.script.ScriptCall;
import java.time.Duration;
import java.util.List;

/**
 * The settings that the clients of all primaries share.
 *
 * @param timer closes connections that do not respond
 * @param deadline the longest time of a reply
 * @param batching whether decisions share commands
 * @param unsettled takes calls that no caller waits for any longer
 * @param onTopologySuspect runs when a primary is lost, or says that it is none any more: another
 *     server may have taken over
 */
public record PrimarySettings(
    Connector connector,
    SocketTimer timer,
    Reports reports,
    Duration deadline,
    boolean batching,
    UnsettledCalls unsettled,
    Runnable onTopologySuspect) {

  /**
   * A receiver of late or unknown outcomes of calls that were sent, and of posted calls that were
   * not run. Thread-safe; returns at once.
   */
  public interface UnsettledCalls {
    void addLate(ScriptCall call, List<Long> reply);

    void addUnknown(ScriptCall call);

    void addUnsent(ScriptCall posted);
  }

  public PrimarySettings withOnTopologySuspect(Runnable called) {
    return new PrimarySettings(connector, timer, reports, deadline, batching, unsettled, called);
  }
}
