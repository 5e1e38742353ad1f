package dev.weir.bench.http;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.bench.peer.Answer;
import dev.weir.bench.peer.Bucket4j;
import dev.weir.bench.peer.Numbers;
import io.github.bucket4j.Bucket;
import java.time.Duration;

/** Bucket4j in process as a filter, with a bucket for each key in a cache. */
public final class Bucket4jLocalFilter extends KeyFilter {

  private static final long serialVersionUID = 1L;

  private final transient Cache<String, Bucket> buckets =
      Caffeine.newBuilder().maximumSize(100_000).expireAfterAccess(Duration.ofHours(1)).build();

  /** Created by the container. */
  public Bucket4jLocalFilter() {}

  @Override
  Answer answer(String key) {
    return Bucket4j.answer(buckets.get(key, unknown -> bucket()));
  }

  private Bucket bucket() {
    Numbers numbers = numbers();
    return Bucket.builder()
        .addLimit(
            limit ->
                limit.capacity(numbers.burst()).refillGreedy(numbers.permits(), numbers.period()))
        .build();
  }
}
