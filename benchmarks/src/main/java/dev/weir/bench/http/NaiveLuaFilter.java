package dev.weir.bench.http;

import dev.weir.bench.peer.Answer;
import dev.weir.bench.peer.NaiveLua;

/** The naive filter. Its init-params are the URI {@code redis} and the size of the {@code pool}. */
public final class NaiveLuaFilter extends KeyFilter {

  private static final long serialVersionUID = 1L;

  @SuppressWarnings("NullAway.Init") // by init
  private transient NaiveLua limiter;

  /** Created by the container. */
  public NaiveLuaFilter() {}

  @Override
  public void init() {
    int pool = Integer.parseInt(getInitParameter("pool"));
    limiter = new NaiveLua(getInitParameter("redis"), pool, 0, NUMBERS);
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
