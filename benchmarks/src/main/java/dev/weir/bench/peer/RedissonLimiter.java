package dev.weir.bench.peer;

import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's {@code RRateLimiter}, its scripts cached as all others' are. */
public final class RedissonLimiter implements Contender {

  public static final String NAME = "redisson";

  private static final String OWNER = "rdsso";

  private final RedissonClient redisson;
  private final RRateLimiter[] limiters;

  public RedissonLimiter(String uri, int pool, int keys, Numbers numbers) {
    Config config = new Config().setUseScriptCache(true);
    config
        .useSingleServer()
        .setAddress(uri)
        .setConnectionPoolSize(pool)
        .setConnectionMinimumIdleSize(pool);
    redisson = Redisson.create(config);
    limiters = new RRateLimiter[keys];
    for (int key = 0; key < keys; key++) {
      limiters[key] = redisson.getRateLimiter(Keys.inRedis(OWNER, key));
      limiters[key].trySetRate(RateType.OVERALL, numbers.permits(), numbers.period());
    }
  }

  @Override
  public boolean admits(int key) {
    return limiters[key].tryAcquire();
  }

  @Override
  public void close() {
    redisson.shutdown();
  }
}
