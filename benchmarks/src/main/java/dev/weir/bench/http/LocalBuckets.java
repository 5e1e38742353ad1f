package dev.weir.bench.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.bench.peer.Numbers;
import io.github.bucket4j.Bucket;
import java.time.Duration;

/** Bucket4j in process, a bucket for each key in a cache. */
final class LocalBuckets {

  private final Cache<String, Bucket> buckets =
      Caffeine.newBuilder().maximumSize(100_000).expireAfterAccess(Duration.ofHours(1)).build();

  private final Numbers numbers;

  LocalBuckets(Numbers numbers) {
    this.numbers = numbers;
  }

  boolean admits(String key) {
    return buckets.get(key, this::bucket).tryConsumeAndReturnRemaining(1).isConsumed();
  }

  private Bucket bucket(String key) {
    return Bucket.builder()
        .addLimit(
            limit ->
                limit.capacity(numbers.burst()).refillGreedy(numbers.permits(), numbers.period()))
        .build();
  }
}
