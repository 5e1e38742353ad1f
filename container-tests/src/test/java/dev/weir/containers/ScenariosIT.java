package dev.weir.containers;

import dev.weir.fixture.Jdk;
import dev.weir.http.HttpScenarios;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The whole table of HTTP scenarios, in a WAR with one jar of Weir, in each container. */
@ParameterizedClass(name = "{0}")
@MethodSource("places")
class ScenariosIT extends ScenarioTable {

  ScenariosIT(Place place) {
    super(place);
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

  @Override
  String name() {
    return place().container().name();
  }

  @Override
  HttpScenarios scenarios() {
    HttpScenarios scenarios = HttpScenarios.all();
    place().container().ownFaults().forEach(scenarios::except);
    return scenarios;
  }

  @Override
  War war(Path directory) throws IOException {
    return ScenarioWar.of(place().edition(), scenarios().writeConfiguration(directory));
  }
}
