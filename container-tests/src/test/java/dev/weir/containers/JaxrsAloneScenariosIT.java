package dev.weir.containers;

import dev.weir.fixture.Jdk;
import dev.weir.http.HttpScenarios;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of HTTP scenarios, in JAX-RS servers that run on their own. */
@ParameterizedClass(name = "{0}")
@MethodSource("dev.weir.containers.JaxrsAlone#all")
class JaxrsAloneScenariosIT extends ScenarioTable {

  private final JaxrsAlone server;

  JaxrsAloneScenariosIT(JaxrsAlone server) {
    super(new Place(server, Jdk.running()));
    this.server = server;
  }

  @Override
  String name() {
    return server.name();
  }

  @Override
  HttpScenarios scenarios() {
    return HttpScenarios.all().except("dispatch:", "JAX-RS knows no dispatches");
  }

  @Override
  War war(Path directory) throws IOException {
    return server.application(scenarios().configuration());
  }
}
