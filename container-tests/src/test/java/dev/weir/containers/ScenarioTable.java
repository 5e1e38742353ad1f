package dev.weir.containers;

import dev.weir.http.HttpScenarios;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** HTTP scenarios of an application in a container, which are a row of the matrix. */
abstract class ScenarioTable {

  private final Place place;
  private @Nullable RunningContainer container;

  ScenarioTable(Place place) {
    this.place = place;
  }

  Place place() {
    return place;
  }

  /** As the matrix calls it. */
  abstract String name();

  abstract HttpScenarios scenarios();

  /**
   * @param directory for files that it refers to
   */
  abstract War war(Path directory) throws IOException;

  @BeforeEach
  void deploy(@TempDir Path directory) throws IOException {
    container =
        RunningContainer.start(place.container(), place.jdk(), war(directory), directory)
            .untilItAnswers("/free/started");
  }

  @AfterEach
  void stop() throws IOException {
    if (container != null) {
      container.close();
    }
    Matrix.all().print();
  }

  @TestFactory
  Stream<DynamicTest> every_scenario_holds() {
    return Matrix.all()
        .counting(
            new Matrix.Row(name(), place.edition(), place.jdk()),
            scenarios().at(Objects.requireNonNull(container).base()));
  }
}
