package dev.weir.servlet;

import dev.weir.http.HttpScenarios;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The whole table of HTTP scenarios, in one container. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ScenarioContract {

  private final Container container;

  ScenarioContract(Container container) {
    this.container = container;
  }

  @BeforeAll
  void deploy(@TempDir Path directory) throws Exception {
    Path configuration = HttpScenarios.all().writeConfiguration(directory);
    container.deploy(WebApp.in(directory, Map.of("config", configuration.toString())));
  }

  @AfterAll
  void stop() {
    container.close();
  }

  @TestFactory
  Stream<DynamicTest> every_scenario_holds() {
    return HttpScenarios.all().at(container.base());
  }
}
