package dev.weir.tomcat;

import dev.weir.PeriodLimiter;
import dev.weir.config.Weir;
import dev.weir.config.WeirBuilder;
import dev.weir.limit.FixedWindow;
import dev.weir.limit.FixedWindow.FirstRequestWindow;
import dev.weir.redis.RedisOptions;
import dev.weir.store.Decision;
import dev.weir.store.Subject;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import org.apache.catalina.util.RateLimiter;
import org.jspecify.annotations.Nullable;

/**
 * An exact counter over all nodes in Redis, for Tomcat's {@code
 * org.apache.catalina.filters.RateLimitFilter}. Set the filter's {@code rateLimitClassName} to the
 * name of this class. Its {@code bucketRequests} and {@code bucketDuration} are the limit. The
 * window begins with an address's first request. While Redis is unavailable, each node counts its
 * share.
 *
 * <p>The context's parameters configure it, for example a {@code Parameter} in {@code context.xml}:
 *
 * <ul>
 *   <li>{@value #REDIS}: a URI as {@link RedisOptions#of} takes it. Without it, each node counts by
 *       itself.
 *   <li>{@value #APPLICATION}: names the keys in Redis. The default is the name of the context's
 *       path.
 *   <li>{@value #NODES}: how many nodes share the limit while Redis is unavailable. The default is
 *       1.
 * </ul>
 *
 * <p>Thread-safe after {@link #setFilterConfig}, which Tomcat calls last.
 */
public final class WeirRateLimiter implements RateLimiter {

  static final String REDIS = "weir.redis";
  static final String APPLICATION = "weir.application";
  static final String NODES = "weir.nodes";

  /** Tomcat's own name for the root context; no other context has it. */
  private static final String ROOT = "ROOT";

  private int requests;
  private int durationSeconds;
  private String policyName = "weir";
  private @Nullable Weir weir;
  private @Nullable PeriodLimiter limiter;

  @Override
  public int getDuration() {
    return durationSeconds;
  }

  @Override
  public void setDuration(int seconds) {
    durationSeconds = seconds;
  }

  @Override
  public int getRequests() {
    return requests;
  }

  @Override
  public void setRequests(int number) {
    requests = number;
  }

  @Override
  public String getPolicyName() {
    return policyName;
  }

  @Override
  public void setPolicyName(String name) {
    policyName = name;
  }

  /**
   * Starts counting, whether Redis is up or down. The name of the filter names the limit.
   *
   * @throws IllegalArgumentException when a parameter is wrong: the message names it, its value and
   *     what was expected
   */
  @Override
  public void setFilterConfig(FilterConfig filter) {
    ServletContext context = filter.getServletContext();
    FixedWindow limit =
        new FixedWindow(requests, new FirstRequestWindow(Duration.ofSeconds(durationSeconds)));
    Weir opened = builder(context).limit(filter.getFilterName(), limit).start();
    limiter = PeriodLimiter.of(filter.getFilterName(), limit, opened.store());
    weir = opened;
  }

  private static WeirBuilder builder(ServletContext context) {
    WeirBuilder builder = Weir.builder();
    parameter(context, REDIS)
        .ifPresent(uri -> builder.redis(RedisOptions.of(uri, application(context))));
    parameter(context, NODES).ifPresent(nodes -> builder.nodes(nodes(nodes)));
    return builder;
  }

  private static String application(ServletContext context) {
    return parameter(context, APPLICATION).orElseGet(() -> nameOf(context.getContextPath()));
  }

  /** Returns the path itself where it is a valid name, otherwise a name unique to the path. */
  private static String nameOf(String path) {
    if (path.isEmpty()) {
      return ROOT;
    }
    String name = path.substring(1);
    String plain = name.replaceAll("[^A-Za-z0-9]", "-");
    return plain.equals(name)
        ? name
        : plain + "-" + HexFormat.of().formatHex(name.getBytes(StandardCharsets.UTF_8));
  }

  private static int nodes(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          NODES + ": '" + text + "' (expected: a whole number from 1)", e);
    }
  }

  private static Optional<String> parameter(ServletContext context, String name) {
    return Optional.ofNullable(context.getInitParameter(name)).map(String::strip);
  }

  /** Returns this request's number within the window, or the limit plus one when it is denied. */
  @Override
  public int increment(String address) {
    Decision decision =
        Objects.requireNonNull(limiter, "setFilterConfig was not called")
            .tryAcquire(Subject.of("ip", address));
    if (!decision.allowed()) {
      return requests + 1;
    }
    return decision instanceof Decision.Counted counted
        ? Math.toIntExact(requests - counted.binding().remaining())
        : 1;
  }

  @Override
  public void destroy() {
    if (weir != null) {
      weir.close();
    }
  }
}
