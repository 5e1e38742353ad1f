package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Jdk;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Applications that know nothing of Weir, in two Tomcats: one jar and the lines of README limit
 * them across both.
 */
class ForeignWarIT {

  private static final int TOO_MANY = 429;
  private static final int PERMITS = 3;

  private final Path directory;

  ForeignWarIT(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void of_javax() throws Exception {
    limits(Containers.TOMCAT_9, "org.apache.wicket:wicket-examples:war:9.0.0", "/helloworld/");
  }

  @Test
  void of_jakarta() throws Exception {
    limits(Containers.TOMCAT_10, "org.jolokia:jolokia-agent-war:war:2.0.0", "/");
  }

  private void limits(Tomcat tomcat, String foreign, String path) throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      Path war = limited(Artifacts.file(foreign), tomcat.edition(), redis.uri());
      try (RunningContainer one = start(tomcat, war, "one");
          RunningContainer two = start(tomcat, war, "two")) {
        one.untilItSays("Server startup in");
        two.untilItSays("Server startup in");
        assertThat(unlimited(path, one, two)).isEqualTo(PERMITS);
        redis.kill();
        AtomicLong passed = new AtomicLong();
        await() // for the end of a second in which denials are remembered
            .untilAsserted(
                () -> assertThat(passed.addAndGet(unlimited(path, one, two))).isEqualTo(2 * 2));
        assertThat(unlimited(path, one, two)).as("each has had its 2 of 3").isZero();
      }
    }
  }

  private RunningContainer start(Tomcat tomcat, Path war, String name) throws IOException {
    return RunningContainer.start(tomcat, Jdk.running(), war, directory.resolve(name));
  }

  /** Of twelve requests, six to each. */
  private static long unlimited(String path, RunningContainer... containers) {
    List<Integer> statuses =
        IntStream.range(0, 12).mapToObj(i -> containers[i % 2].status(path)).toList();
    assertThat(statuses).allMatch(status -> status == TOO_MANY || (status >= 200 && status < 400));
    return statuses.stream().filter(status -> status != TOO_MANY).count();
  }

  private Path limited(Path foreign, Edition edition, String redis) throws IOException {
    Path war = directory.resolve("limited.war");
    Files.copy(foreign, war, StandardCopyOption.REPLACE_EXISTING);
    try (FileSystem inside = FileSystems.newFileSystem(war)) {
      Path jar = edition.filter();
      Files.copy(jar, inside.getPath("WEB-INF/lib", jar.getFileName().toString()));
      Path webXml = inside.getPath("WEB-INF/web.xml");
      Files.writeString(webXml, WebXml.with(lines(redis), Files.readString(webXml)));
    }
    return war;
  }

  private static String lines(String redis) {
    return WebXml.filter(
        Map.of(
            "limit",
            PERMITS + " per hour",
            "subject",
            "ip",
            "application",
            "foreign",
            "redis",
            redis,
            "nodes",
            "2"));
  }
}
