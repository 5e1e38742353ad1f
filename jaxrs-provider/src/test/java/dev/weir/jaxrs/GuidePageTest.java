package dev.weir.jaxrs;

import dev.weir.http.GuidePage;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.redis.RedisVersion;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.stream.Stream;
import org.glassfish.jersey.server.ResourceConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The example that uses everything, in the provider. */
class GuidePageTest {

  private @Nullable GuidePage page;
  private @Nullable Server server;

  @TestFactory
  Stream<DynamicTest> the_example_holds(@TempDir java.nio.file.Path directory) throws Exception {
    page = new GuidePage(RedisVersion.newest(), directory);
    server =
        Grizzly.start(
            new ResourceConfig(UsersTest.Authentication.class)
                .registerInstances(new Shop(page))
                .register(new RateLimitFeature(page.open()).clientAddress(Server::peerAddress)));
    return page.testsOf(server.base());
  }

  @AfterEach
  void close() {
    if (server != null) {
      server.close();
    }
    if (page != null) {
      page.close();
    }
  }

  /** Answers as the page's tests want it. */
  @Path("{path: .*}")
  public static final class Shop {

    private final GuidePage page;

    Shop(GuidePage page) {
      this.page = page;
    }

    @GET
    public Response get(@PathParam("path") String path, @Context ContainerRequestContext request) {
      page.work("/" + path);
      Object degradedBy = request.getProperty(RequestLimiter.DEGRADED);
      return Response.status(GuidePage.statusOf("/" + path))
          .entity(
              degradedBy == null
                  ? GuidePage.bodyOf("/" + path)
                  : "passed, degraded by " + degradedBy)
          .build();
    }

    @POST
    public Response post(@PathParam("path") String path, @Context ContainerRequestContext request) {
      return get(path, request);
    }
  }
}
