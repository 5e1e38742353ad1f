package dev.weir.bench.http;

import dev.weir.bench.peer.Answer;
import dev.weir.bench.peer.Bucket4jRedis;

/** Bucket4j on Redis as a filter, with the init-params of {@link NaiveLuaFilter}. */
public final class Bucket4jRedisFilter extends KeyFilter {

  private static final long serialVersionUID = 1L;

  @SuppressWarnings("NullAway.Init") // by init
  private transient Bucket4jRedis limiter;

  /** Created by the container. */
  public Bucket4jRedisFilter() {}

  @Override
  public void init() {
    int pool = Integer.parseInt(getInitParameter("pool"));
    limiter = new Bucket4jRedis(getInitParameter("redis"), pool, 0, NUMBERS);
  }

  @Override
  Answer answer(String key) {
    return limiter.answer(key);
  }

  @Override
  public void destroy() {
    limiter.close();
  }
}
