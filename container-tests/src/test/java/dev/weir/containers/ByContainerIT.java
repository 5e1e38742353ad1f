package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Jdk;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Applications that stay as they are, limited over two Tomcats by their configuration alone. */
class ByContainerIT {

  private static final int TOO_MANY = 429;
  private static final int PERMITS = 4;

  private final Path directory;

  ByContainerIT(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void by_the_filter_of_Tomcat_9_counting_in_Redis() throws Exception {
    limits(Containers.TOMCAT_9);
  }

  @Test
  void by_the_filter_of_Tomcat_10_counting_in_Redis() throws Exception {
    limits(Containers.TOMCAT_10);
  }

  private void limits(Tomcat tomcat) throws Exception {
    String lines =
        WebXml.filter(
            "weir",
            "org.apache.catalina.filters.RateLimitFilter",
            Map.of(
                "rateLimitClassName",
                "dev.weir.tomcat.WeirRateLimiter",
                "bucketRequests",
                String.valueOf(PERMITS),
                "bucketDuration",
                "3600"));
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      String parameters =
          "<Parameter name='weir.redis' value='%s'/><Parameter name='weir.nodes' value='2'/>"
              .formatted(redis.uri());
      sharesOneBudget(limiting(tomcat, lines, parameters));
    }
  }

  @Test
  void by_our_valve_in_front_of_all_applications() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      String valve =
          """
          <Valve className="dev.weir.tomcat.RateLimitValve" limit="%d per hour" subject="ip"
                 application="all" redis="%s" nodes="2"/>
          """
              .formatted(PERMITS, redis.uri());
      sharesOneBudget(
          new TomcatWithLibrary(
              Containers.TOMCAT_10,
              Edition.JAKARTA.tomcat(),
              place -> {
                Path serverXml = place.resolve("conf/server.xml");
                Files.writeString(
                    serverXml, Files.readString(serverXml).replace("<Host", valve + "<Host"));
              }));
    }
  }

  private static Container limiting(Tomcat tomcat, String lines, String parameters) {
    return new TomcatWithLibrary(
        tomcat,
        tomcat.edition().tomcat(),
        place -> {
          Path webXml = place.resolve("conf/web.xml");
          Files.writeString(webXml, WebXml.with(lines, Files.readString(webXml)));
          Files.writeString(
              place.resolve("conf/context.xml"), "<Context>" + parameters + "</Context>");
        });
  }

  private void sharesOneBudget(Container container) throws Exception {
    War war =
        new War()
            .with("WEB-INF/web.xml", container.edition().webXml(""))
            .with("page.txt", "served");
    try (RunningContainer one = start(container, war, "one");
        RunningContainer two = start(container, war, "two")) {
      one.untilItSays("Server startup in");
      two.untilItSays("Server startup in");
      List<Integer> statuses =
          IntStream.range(0, 12)
              .mapToObj(i -> (i % 2 == 0 ? one : two).status("/page.txt"))
              .toList();
      assertThat(statuses).containsOnly(200, TOO_MANY);
      assertThat(statuses).filteredOn(status -> status != TOO_MANY).hasSize(PERMITS);
    }
  }

  private RunningContainer start(Container container, War war, String name) throws IOException {
    return RunningContainer.start(container, Jdk.running(), war, directory.resolve(name));
  }
}
