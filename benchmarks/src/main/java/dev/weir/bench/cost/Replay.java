package dev.weir.bench.cost;

import java.net.URI;
import java.util.Collections;
import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisException;

/** A connection that records calls and sends them again. */
final class Replay implements AutoCloseable {

  private static final int PATIENCE_MILLIS = 120_000;

  private final String uri;
  private final Jedis client;

  Replay(String uri) {
    this.uri = uri;
    client = new Jedis(URI.create(uri), PATIENCE_MILLIS);
  }

  /**
   * Sends all of these in a pipeline, and returns the replies.
   *
   * @throws JedisException when a reply is an error
   */
  List<Object> send(List<Call> calls) {
    Pipeline pipeline = client.pipelined();
    for (Call call : calls) {
      pipeline.sendCommand(Protocol.Command.EVALSHA, call.arguments().toArray(String[]::new));
    }
    List<Object> replies = pipeline.syncAndReturnAll();
    for (Object reply : replies) {
      if (reply instanceof JedisException error) {
        throw error;
      }
    }
    return replies;
  }

  /** Sends a call this many times, in a pipeline, and returns the replies. */
  List<Object> send(int times, Call call) {
    return send(Collections.nCopies(times, call));
  }

  /** Returns all script calls during this work, in order. */
  List<Call> recorded(Work work) throws Exception {
    return Recorder.during(uri, work);
  }

  /** Makes Redis answer nothing for so long. */
  void pause(long millis) {
    client.sendCommand(Protocol.Command.CLIENT, "PAUSE", String.valueOf(millis));
  }

  /** Copies a key over another. */
  void copy(String from, String to) {
    client.copy(from, to, true);
  }

  @Override
  public void close() {
    client.close();
  }
}
