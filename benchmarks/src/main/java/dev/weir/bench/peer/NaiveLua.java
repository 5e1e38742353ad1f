package dev.weir.bench.peer;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.RedisClient;

/**
 * The usual hand-written limiter: one {@code EVALSHA} of a one-key script for each decision,
 * through a pool.
 */
public final class NaiveLua implements Contender {

  public static final String NAME = "naive-lua";

  private static final String OWNER = "naive";

  private static final byte[] ONE = bytes("1");

  private final RedisClient redis;
  private final byte[] sha;
  private final byte[] perMicro;
  private final byte[] unit;
  private final byte[] burst;
  private final byte[][] keys;

  public NaiveLua(String uri, int pool, int keys, Numbers numbers) {
    redis = JedisPools.open(uri, pool);
    sha = LuaScript.load("naive.lua", redis);
    long micros = TimeUnit.MICROSECONDS.convert(numbers.period());
    long common = gcd(numbers.permits(), micros);
    perMicro = bytes(numbers.permits() / common);
    unit = bytes(micros / common);
    burst = bytes(numbers.burst());
    this.keys = new byte[keys][];
    for (int key = 0; key < keys; key++) {
      this.keys[key] = bytes(Keys.inRedis(OWNER, key));
    }
  }

  @Override
  public boolean admits(int key) {
    return admits(keys[key]);
  }

  /** Acquires for a subject by name. */
  public boolean admits(String subject) {
    return admits(bytes(Keys.inRedis(OWNER, subject)));
  }

  private boolean admits(byte[] key) {
    return redis.evalsha(sha, 1, key, perMicro, unit, burst, ONE) instanceof List<?> reply
        && reply.get(0).equals(1L);
  }

  private static long gcd(long one, long other) {
    return BigInteger.valueOf(one).gcd(BigInteger.valueOf(other)).longValueExact();
  }

  private static byte[] bytes(long number) {
    return bytes(String.valueOf(number));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    redis.close();
  }
}
