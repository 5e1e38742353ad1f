package dev.weir.bench.peer;

import dev.weir.limit.Limit;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.RedisClient;

/**
 * The usual hand-written limiter: one {@code EVALSHA} of a one-key script for each decision,
 * through a pool.
 */
public final class NaiveLua implements Limiter {

  public static final String NAME = "naive-lua";

  private static final String OWNER = "naive";

  private static final byte[] ONE = bytes("1");

  private final RedisClient redis;
  private final byte[] sha;
  private final NaiveScript script;
  private final byte[][] keys;

  /** Creates one for a token bucket of these numbers. */
  public NaiveLua(String uri, int pool, int keys, Numbers numbers) {
    this(uri, pool, keys, Limit.parse(numbers.text()));
  }

  /** Creates one for a limit per time. */
  public NaiveLua(String uri, int pool, int keys, Limit limit) {
    script = NaiveScript.of(limit);
    redis = JedisPools.open(uri, pool);
    sha = LuaScript.load(script.file(), redis);
    this.keys = new byte[keys][];
    for (int key = 0; key < keys; key++) {
      this.keys[key] = bytes(Keys.inRedis(OWNER, key));
    }
  }

  @Override
  public boolean admits(int key) {
    return reply(keys[key]).get(0).equals(1L);
  }

  @Override
  public Answer answer(String subject) {
    List<?> reply = reply(bytes(Keys.inRedis(OWNER, subject)));
    return new Answer(reply.get(0).equals(1L), (Long) reply.get(1), (Long) reply.get(3));
  }

  private List<?> reply(byte[] key) {
    List<byte[]> numbers = script.arguments();
    byte[][] parameters = new byte[numbers.size() + 2][];
    parameters[0] = key;
    for (int i = 0; i < numbers.size(); i++) {
      parameters[i + 1] = numbers.get(i);
    }
    parameters[numbers.size() + 1] = ONE;
    return (List<?>) redis.evalsha(sha, 1, parameters);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    redis.close();
  }
}
