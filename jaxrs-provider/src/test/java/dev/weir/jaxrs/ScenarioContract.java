package dev.weir.jaxrs;

import dev.weir.config.Weir;
import dev.weir.http.HttpScenarios;
import java.util.Objects;
import java.util.stream.Stream;
import org.glassfish.jersey.server.ResourceConfig;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The table of HTTP scenarios, in one server. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ScenarioContract {

  private final Weir weir = Weir.of(HttpScenarios.all().configuration());
  private @Nullable Server server;

  abstract Server start(Weir weir, RateLimitFeature feature) throws Exception;

  /** The rows that do not apply here, each with its reason. */
  HttpScenarios scenarios() {
    return HttpScenarios.all().except("dispatch:", "JAX-RS knows no dispatches");
  }

  @BeforeAll
  void start() throws Exception {
    server = start(weir, new RateLimitFeature(weir));
  }

  @AfterAll
  void stop() {
    running().close();
    weir.close();
  }

  @TestFactory
  Stream<DynamicTest> every_scenario_holds() {
    return scenarios().at(running().base());
  }

  static ResourceConfig application(RateLimitFeature feature) {
    return ScenarioApplication.with(feature);
  }

  private Server running() {
    return Objects.requireNonNull(server);
  }
}
