package dev.weir.containers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The application of the scenarios. */
final class ScenarioWar {

  private ScenarioWar() {}

  /** With one jar of Weir, and its filter in front of all. */
  static War of(Edition edition, Path configuration) throws IOException {
    return of(edition, edition.filter(), configuration);
  }

  static War of(Edition edition, Path jar, Path configuration) throws IOException {
    String filter = WebXml.filterOfDispatches(Map.of("config", configuration.toString()));
    return with(edition, filter).libraries(List.of(jar));
  }

  /** The same, with the page of the status for clients on this machine. */
  static War withStatus(Edition edition, Path configuration) throws IOException {
    String filter = WebXml.filterOfDispatches(Map.of("config", configuration.toString()));
    String status =
        WebXml.servlet(
            "weir-status",
            "dev.weir.servlet.StatusServlet",
            "/weir-status",
            Map.of("allow", "127.0.0.1"));
    return with(edition, filter + status).libraries(List.of(edition.filter()));
  }

  /** By itself. */
  static War alone(Edition edition) throws IOException {
    return with(edition, "");
  }

  private static War with(Edition edition, String filter) throws IOException {
    return new War()
        .with("WEB-INF/web.xml", edition.webXml(filter + servlet()))
        .classes(edition.applications(), "dev.weir.servlet.ScenarioServlet");
  }

  private static String servlet() {
    return WebXml.servlet("scenarios", "dev.weir.servlet.ScenarioServlet", "/", Map.of())
        + "<error-page><location>/error-page</location></error-page>";
  }
}
