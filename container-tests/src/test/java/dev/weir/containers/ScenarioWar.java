package dev.weir.containers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The application of the scenarios: one jar of Weir, and its filter in front of all. */
final class ScenarioWar {

  private ScenarioWar() {}

  static War of(Edition edition, Path configuration) throws IOException {
    return new War()
        .with("WEB-INF/web.xml", edition.webXml(webXml(configuration)))
        .libraries(List.of(edition.filter()))
        .classes(edition.applications(), "dev.weir.servlet.ScenarioServlet");
  }

  private static String webXml(Path configuration) {
    return WebXml.filterOfDispatches(Map.of("config", configuration.toString()))
        + WebXml.servlet("scenarios", "dev.weir.servlet.ScenarioServlet", "/", Map.of())
        + "<error-page><location>/error-page</location></error-page>";
  }
}
