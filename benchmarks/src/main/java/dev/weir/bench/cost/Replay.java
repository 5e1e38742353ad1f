package dev.weir.bench.cost;

import java.net.URI;
import java.util.Collections;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/** Records calls, and sends them once more on one connection. */
final class Replay implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 120_000;

  private final String uri;
  private final Jedis client;

  Replay(String uri) {
    this.uri = uri;
    client = new Jedis(URI.create(uri), PATIENCE_MILLIS);
  }

  /**
   * All of these in a pipeline.
   *
   * @throws JedisException when one of them is replied an error
   */
  void send(List<Call> calls) {
    Pipeline pipeline = client.pipelined();
    for (Call call : calls) {
      pipeline.sendCommand(Protocol.Command.EVALSHA, call.arguments().toArray(String[]::new));
    }
    for (Object reply : pipeline.syncAndReturnAll()) {
      if (reply instanceof JedisException error) {
        throw error;
      }
    }
  }

  /** A call as often as this, in a pipeline. */
  void send(int times, Call call) {
    send(Collections.nCopies(times, call));
  }

  /** All calls of scripts during this work, in order. */
  List<Call> recorded(Work work) throws Exception {
    return Recorder.during(uri, work);
  }

  /** Redis answers nothing for so long. */
  void pause(long millis) {
    client.sendCommand(Protocol.Command.CLIENT, "PAUSE", String.valueOf(millis));
  }

  /** Makes a key the same as another. */
  void copy(String from, String to) {
    client.copy(from, to, true);
  }

  @Override
  public void close() {
    client.close();
  }
}
