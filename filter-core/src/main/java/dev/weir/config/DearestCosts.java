package dev.weir.config;

import dev.weir.http.NamedLimit;
import dev.weir.http.Rule;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.ToLongFunction;

/** What the dearest single request charges each limit; rules of annotations come in later. */
final class DearestCosts implements ToLongFunction<String> {

  private final ConcurrentMap<String, Long> permits = new ConcurrentHashMap<>();

  void add(Rule rule) {
    for (NamedLimit limit : rule.limits()) {
      permits.merge(limit.name(), rule.cost(), Math::max);
    }
  }

  @Override
  public long applyAsLong(String limit) {
    return permits.getOrDefault(limit, 1L);
  }
}
