package dev.weir.containers;

import dev.weir.fixture.Jdk;
import dev.weir.http.HttpScenarios;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of HTTP scenarios with the jars for old JVMs, as far as a newer JVM can test them. */
@ParameterizedClass(name = "{0}")
@MethodSource("containers")
class Java8ScenariosIT extends ScenarioTable {

  Java8ScenariosIT(Container container) {
    super(new Place(container, Jdk.running()));
  }

  /** The newest that run on Java 8, and on Java 11. */
  static Stream<Container> containers() {
    return Stream.of(Containers.TOMCAT_9, Containers.TOMCAT_10);
  }

  @Override
  String name() {
    return "Jar for Java 8 in " + place().container().name();
  }

  @Override
  HttpScenarios scenarios() {
    return HttpScenarios.all();
  }

  @Override
  War war(Path directory) throws IOException {
    Edition edition = place().edition();
    Path configuration = scenarios().writeConfiguration(directory);
    return ScenarioWar.of(edition, edition.java8Filter(), configuration);
  }
}
