package dev.weir.redis;

import java.util.List;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;

/**
 * A Redis that runs traces through one script: the production one, or one with a planted defect.
 */
final class TraceServer implements AutoCloseable {

  private final RedisVersion version;
  private final Jedis redis;
  private final String sha1;

  TraceServer(RedisServer server, String script) {
    version = server.version();
    redis = server.client();
    sha1 = redis.scriptLoad(script);
  }

  static TraceServer of(RedisVersion version) {
    return new TraceServer(RedisServer.shared(version), LuaTrace.SCRIPT.text());
  }

  /** Sends a trace and does not wait. */
  void send(List<TraceStep> turns) {
    LuaTrace.send(redis.getConnection(), sha1, Command.EVALSHA, turns);
  }

  /** Returns the result of the trace that was sent first. */
  List<Replied> receive(List<TraceStep> turns) {
    return LuaTrace.receive(redis.getConnection(), turns);
  }

  List<Replied> run(List<TraceStep> turns) {
    send(turns);
    return receive(turns);
  }

  @Override
  public String toString() {
    return version.toString();
  }

  @Override
  public void close() {
    redis.close();
  }
}
