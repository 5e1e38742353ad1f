package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Jdk;
import java.io.IOException;
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

  /** Tomcat with a jar in its {@code lib}, and another application at {@code /other}. */
  private record Shared(Tomcat tomcat, Path jar, Path other) implements Container {

    @Override
    public String name() {
      return tomcat.name();
    }

    @Override
    public Edition edition() {
      return tomcat.edition();
    }

    @Override
    public List<String> prepare(Path war, Path place, int port, Jdk jdk) throws IOException {
      List<String> command = tomcat.prepare(war, place, port, jdk);
      Files.createDirectories(place.resolve("lib"));
      Files.copy(jar, place.resolve("lib").resolve(jar.getFileName()));
      Files.copy(other, place.resolve("webapps/other.war"));
      return command;
    }
  }

  @Test
  void each_application_has_a_configuration_of_its_own(@TempDir Path directory) throws Exception {
    Path shop = war(2).writeTo(directory.resolve("shop.war"));
    Path other = war(5).writeTo(directory.resolve("other.war"));
    Path home = Files.createDirectory(directory.resolve("container"));
    Container container = new Shared(Containers.TOMCAT_10, Edition.JAKARTA.filter(), other);
    try (RunningContainer running =
        RunningContainer.start(container, Jdk.running(), shop, home)
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
