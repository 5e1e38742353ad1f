package dev.weir.containers;

import dev.weir.Jdk;
import dev.weir.http.HttpScenarios;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of HTTP scenarios, in a WAR of each JAX-RS server with one jar of Weir. */
@ParameterizedClass(name = "{0}")
@EnumSource(JaxrsServer.class)
class JaxrsScenariosIT {

  private final JaxrsServer server;
  private final Place place;
  private @Nullable RunningContainer container;

  JaxrsScenariosIT(JaxrsServer server) {
    this.server = server;
    Container tomcat =
        server.edition() == Edition.JAVAX ? Containers.TOMCAT_9 : Containers.TOMCAT_10;
    place = new Place(tomcat, Jdk.running());
  }

  @BeforeEach
  void deploy(@TempDir Path directory) throws Exception {
    Path war = server.war(HttpScenarios.configuration()).writeTo(directory.resolve("shop.war"));
    Path home = Files.createDirectory(directory.resolve("container"));
    container =
        RunningContainer.start(place.container(), place.jdk(), war, home)
            .untilItAnswers("/free/started");
  }

  @AfterEach
  void stop() throws Exception {
    if (container != null) {
      container.close();
    }
    Matrix.all().print();
  }

  @TestFactory
  Stream<DynamicTest> every_scenario_holds() {
    HttpScenarios table = HttpScenarios.all().except("dispatch:", "JAX-RS knows no dispatches");
    return Matrix.all()
        .counting(
            new Matrix.Row(
                server + " in " + place.container().name(), place.edition(), place.jdk()),
            table.at(Objects.requireNonNull(container).base()));
  }
}
