package dev.weir.containers;

import dev.weir.Jdk;
import dev.weir.http.HttpScenarios;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole table of HTTP scenarios, in a WAR with one jar of Weir, in each container. */
@ParameterizedClass(name = "{0}")
@MethodSource("places")
class ScenariosIT {

  private final Place place;
  private @Nullable RunningContainer container;

  ScenariosIT(Place place) {
    this.place = place;
  }

  static Stream<Place> places() {
    Jdk oldest = Jdk.running();
    Optional<Jdk> newest = Jdk.newest(21);
    return Stream.of(
            Containers.all().map(container -> new Place(container, oldest)),
            newest.stream().flatMap(jdk -> Containers.onAnyJava().map(it -> new Place(it, jdk))),
            newest.stream()
                .flatMap(jdk -> Containers.withVirtualThreads().map(it -> new Place(it, jdk))))
        .flatMap(it -> it);
  }

  @BeforeEach
  void deploy(@TempDir Path directory) throws Exception {
    Path configuration = HttpScenarios.writeConfiguration(directory);
    Path war =
        ScenarioWar.of(place.edition(), configuration).writeTo(directory.resolve("shop.war"));
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
    HttpScenarios table = HttpScenarios.all();
    place.container().ownFaults().forEach(table::except);
    return Matrix.all()
        .counting(
            new Matrix.Row(place.container().name(), place.edition(), place.jdk()),
            table.at(Objects.requireNonNull(container).base()));
  }
}
