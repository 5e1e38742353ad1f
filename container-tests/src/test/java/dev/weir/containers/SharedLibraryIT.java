package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Jdk;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One jar in the container's own directory, for all its applications. */
class SharedLibraryIT {

  @Test
  void each_application_has_a_configuration_of_its_own(@TempDir Path directory) throws Exception {
    Path other = war(5).writeTo(directory.resolve("other.war"));
    Container container =
        new TomcatWithLibrary(
            Containers.TOMCAT_10,
            Edition.JAKARTA.filter(),
            place -> Files.copy(other, place.resolve("webapps/other.war")));
    try (RunningContainer running =
        RunningContainer.start(container, Jdk.running(), war(2), directory)
            .untilItSays("Server startup in")) {
      assertThat(statuses(running, "/shop/")).containsExactly(404, 404, 429, 429, 429, 429);
      assertThat(statuses(running, "/other/")).containsExactly(404, 404, 404, 404, 404, 429);
    }
  }

  private static List<Integer> statuses(RunningContainer container, String path) {
    URI target = container.base().resolve(path);
    return IntStream.range(0, 6).mapToObj(i -> container.status(target)).toList();
  }

  private static War war(int permits) {
    String file =
        "rules: [{ name: all, match: /**, subject: global, limits: [%d per hour] }]%n"
            .formatted(permits);
    return new War()
        .with("WEB-INF/web.xml", Edition.JAKARTA.webXml(WebXml.filter(Map.of())))
        .with("WEB-INF/weir.yaml", file);
  }
}
