package dev.weir.containers;

import dev.weir.fixture.Jdk;
import dev.weir.http.HttpScenarios;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of HTTP scenarios, by a Valve in front of an application that knows nothing of it. */
@ParameterizedClass(name = "{0}")
@MethodSource("tomcats")
class ValveScenariosIT extends ScenarioTable {

  private static final String CONTEXT =
      """
      <Context>
        <Valve className="dev.weir.tomcat.RateLimitValve" config="../scenarios.yaml"/>
      </Context>
      """;

  ValveScenariosIT(Tomcat tomcat) {
    super(new Place(limiting(tomcat), Jdk.running()));
  }

  static Stream<Tomcat> tomcats() {
    return Stream.of(Containers.TOMCAT_9, Containers.TOMCAT_10, Containers.TOMCAT_11);
  }

  private static Container limiting(Tomcat tomcat) {
    return new TomcatWithLibrary(
        tomcat,
        tomcat.edition().tomcat(),
        place -> Files.writeString(place.resolve("conf/context.xml"), CONTEXT));
  }

  @Override
  String name() {
    return "Valve in " + place().container().name();
  }

  @Override
  HttpScenarios scenarios() {
    String why = "a Valve stands in front of all dispatches";
    return HttpScenarios.all()
        .except("dispatch: a forward into a limited path is limited", why)
        .except("dispatch: an asynchronous dispatch into a limited path is limited", why)
        .except("dispatch: the status of the target is that of a rule for the target", why)
        .except("dispatch: a denied request is forwarded", why)
        .except("dispatch: what is degraded is forwarded", why);
  }

  @Override
  War war(Path directory) throws IOException {
    scenarios().writeConfiguration(directory);
    return ScenarioWar.alone(place().edition());
  }
}
