package dev.weir.bench.http;

import dev.weir.bench.peer.Answer;
import dev.weir.bench.peer.Bucket4jRedis;
import dev.weir.bench.peer.Limiter;
import dev.weir.bench.peer.NaiveLua;
import jakarta.servlet.ServletException;

/**
 * The filter of a peer on Redis. Its further init-params are the name of the {@code peer}, the URI
 * {@code redis} and the size of the {@code pool}.
 */
public final class PooledFilter extends KeyFilter {

  private static final long serialVersionUID = 1L;

  @SuppressWarnings("NullAway.Init") // by init
  private transient Limiter limiter;

  /** Created by the container. */
  public PooledFilter() {}

  @Override
  public void init() throws ServletException {
    super.init();
    limiter = limiter(getInitParameter("peer"));
  }

  private Limiter limiter(String peer) {
    String redis = getInitParameter("redis");
    int pool = Integer.parseInt(getInitParameter("pool"));
    return switch (peer) {
      case NaiveLua.NAME -> new NaiveLua(redis, pool, 0, numbers());
      case Bucket4jRedis.NAME -> new Bucket4jRedis(redis, pool, 0, numbers());
      default ->
          throw new IllegalArgumentException("peer: '" + peer + "' (expected: one on Redis)");
    };
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
