package dev.weir.bench.peer;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.jedis.Bucket4jJedis;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import redis.clients.jedis.RedisClient;

/** Bucket4j on Redis, by its own Jedis module: exact, so without its optimizations. */
public final class Bucket4jRedis implements Limiter {

  public static final String NAME = "bucket4j-redis";

  private static final String OWNER = "bukt4";

  private final RedisClient redis;
  private final ProxyManager<byte[]> buckets;
  private final BucketConfiguration configuration;
  private final Bucket[] known;

  public Bucket4jRedis(String uri, int pool, int keys, Numbers numbers) {
    redis = JedisPools.open(uri, pool);
    buckets =
        Bucket4jJedis.casBasedBuilder(redis)
            .expirationAfterWrite(
                ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(
                    Duration.ofSeconds(1)))
            .build();
    configuration =
        BucketConfiguration.builder()
            .addLimit(
                limit ->
                    limit
                        .capacity(numbers.burst())
                        .refillGreedy(numbers.permits(), numbers.period()))
            .build();
    known = new Bucket[keys];
    for (int key = 0; key < keys; key++) {
      known[key] = bucket(Keys.inRedis(OWNER, key));
    }
  }

  private Bucket bucket(String key) {
    return buckets.getProxy(key.getBytes(StandardCharsets.US_ASCII), () -> configuration);
  }

  @Override
  public boolean admits(int key) {
    return known[key].tryConsumeAndReturnRemaining(1).isConsumed();
  }

  @Override
  public Answer answer(String subject) {
    return Bucket4j.answer(bucket(Keys.inRedis(OWNER, subject)));
  }

  @Override
  public void close() {
    redis.close();
  }
}
