package dev.weir.containers;

import dev.weir.fixture.Jdk;
import dev.weir.http.HttpScenarios;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of HTTP scenarios, in a WAR of each JAX-RS server with one jar of Weir. */
@ParameterizedClass(name = "{0}")
@EnumSource(JaxrsServer.class)
class JaxrsScenariosIT extends ScenarioTable {

  private final JaxrsServer server;

  JaxrsScenariosIT(JaxrsServer server) {
    super(new Place(tomcat(server.edition()), Jdk.running()));
    this.server = server;
  }

  private static Container tomcat(Edition edition) {
    return edition == Edition.JAVAX ? Containers.TOMCAT_9 : Containers.TOMCAT_10;
  }

  @Override
  String name() {
    return server + " in " + place().container().name();
  }

  @Override
  HttpScenarios scenarios() {
    return HttpScenarios.all().except("dispatch:", "JAX-RS knows no dispatches");
  }

  @Override
  War war(Path directory) throws IOException {
    return server.war(scenarios().configuration());
  }
}
