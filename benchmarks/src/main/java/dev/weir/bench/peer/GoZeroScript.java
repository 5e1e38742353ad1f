package dev.weir.bench.peer;

import java.nio.charset.StandardCharsets;
import redis.clients.jedis.RedisClient;

/** go-zero's algorithm, through a pool of Jedis. */
public final class GoZeroScript implements Contender {

  public static final String NAME = "go-zero-script";

  private static final String OWNER = "gzero";

  private static final byte[] ONE = bytes("1");

  private final RedisClient redis;
  private final byte[] sha;
  private final byte[] perSecond;
  private final byte[] burst;
  private final byte[][] tokens;
  private final byte[][] times;

  /** Creates one for a rate of at least one a second: it supports no other. */
  public GoZeroScript(String uri, int pool, int keys, Numbers numbers) {
    redis = JedisPools.open(uri, pool);
    sha = LuaScript.load("go-zero.lua", redis);
    perSecond = bytes(String.valueOf(numbers.permits() / numbers.period().toSeconds()));
    burst = bytes(String.valueOf(numbers.burst()));
    tokens = new byte[keys][];
    times = new byte[keys][];
    for (int key = 0; key < keys; key++) {
      tokens[key] = bytes(Keys.inRedis(OWNER, key) + ".tokens");
      times[key] = bytes(Keys.inRedis(OWNER, key) + ".ts");
    }
  }

  @Override
  public boolean admits(int key) {
    byte[] now = bytes(String.valueOf(System.currentTimeMillis() / 1000));
    Object reply = redis.evalsha(sha, 2, tokens[key], times[key], perSecond, burst, now, ONE);
    return Long.valueOf(1).equals(reply);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    redis.close();
  }
}
