package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Weir;
import dev.weir.fixture.CallTrace;
import dev.weir.fixture.CallTrace.Scenario;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/**
 * The code of one request stays short enough to read. {@code -Dweir.trace=true} prints its types. A
 * change that makes it shorter lowers the bounds, down to the targets.
 */
class FilterCodePathTest {

  @Test
  void an_allowed_request_calls_few_types_between_the_filter_and_the_socket() throws Exception {
    CallTrace trace = CallTrace.ofSteady(AllowedRequest.class);
    assertThat(trace.types())
        .as("%s", trace)
        .contains(
            "dev.weir.servlet.RateLimitFilter", "dev.weir.redis.internal.client.RedisConnection")
        .hasSizeLessThanOrEqualTo(91); // 85 if possible
    assertThat(trace.calls()).as("%s", trace).isLessThanOrEqualTo(479);
    assertThat(trace.types())
        .as("nothing is created for the access log")
        .noneMatch(type -> type.endsWith(".Denial") || type.endsWith(".SubjectTags"));
  }

  /** A request that one rule counts by its address, in a Redis of its own. */
  static final class AllowedRequest implements Scenario {

    private final BlockingQueue<CallTrace> traces = new LinkedBlockingQueue<>();
    private final RedisServer redis = RedisServer.start(RedisVersion.newest());

    /** The deadline is long, so that after a pause the request still uses the socket itself. */
    private final Weir weir =
        Weir.of(
            """
            application: shop
            redis: { uri: "%s", deadline: 30s }
            nodes: 1
            rules: [{ name: api, match: /**, subject: ip, limits: [100000 per hour] }]
            """
                .formatted(redis.uri()));

    private final JettyServlets server =
        new JettyServlets()
            .filter(new Traced(new RateLimitFilter(weir), traces))
            .servlet("/", (request, response) -> response.setStatus(204))
            .start();
    private final KeptConnection client = new KeptConnection(URI.create(server.base() + "/"));

    AllowedRequest() throws Exception {}

    @Override
    public CallTrace run() throws IOException, InterruptedException {
      assertThat(client.call()).isEqualTo(204);
      return traces.take();
    }

    @Override
    public void close() {
      client.close();
      server.close();
      weir.close();
      redis.close();
    }
  }

  /** Stands for our filter: beside a second filter, ours would take another path. */
  private record Traced(Filter ours, BlockingQueue<CallTrace> traces) implements Filter {

    @Override
    public void init(FilterConfig config) throws ServletException {
      ours.init(config);
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      CallTrace started = CallTrace.start();
      ours.doFilter(request, response, chain);
      traces.add(started.stop());
    }
  }
}
