package dev.weir.containers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A JAX-RS server as a servlet, with what it needs in the WAR. */
enum JaxrsServer {
  JERSEY_2(
      "Jersey 2.47",
      Edition.JAVAX,
      "org.glassfish.jersey.servlet.ServletContainer",
      "org.glassfish.jersey.containers:jersey-container-servlet:2.47",
      "org.glassfish.jersey.inject:jersey-hk2:2.47"),
  JERSEY_3(
      "Jersey 3.1.11",
      Edition.JAKARTA,
      "org.glassfish.jersey.servlet.ServletContainer",
      "org.glassfish.jersey.containers:jersey-container-servlet:3.1.11",
      "org.glassfish.jersey.inject:jersey-hk2:3.1.11"),
  JERSEY_4(
      "Jersey 4.0.0",
      Edition.JAKARTA,
      "org.glassfish.jersey.servlet.ServletContainer",
      "org.glassfish.jersey.containers:jersey-container-servlet:4.0.0",
      "org.glassfish.jersey.inject:jersey-hk2:4.0.0"),
  RESTEASY(
      "RESTEasy 6.2.12",
      Edition.JAKARTA,
      "org.jboss.resteasy.plugins.server.servlet.HttpServlet30Dispatcher",
      "org.jboss.resteasy:resteasy-core:6.2.12.Final"),
  CXF(
      "CXF 4.1.4",
      Edition.JAKARTA,
      "org.apache.cxf.jaxrs.servlet.CXFNonSpringJaxrsServlet",
      "org.apache.cxf:cxf-rt-frontend-jaxrs:4.1.4");

  private final String title;
  private final Edition edition;
  private final String servlet;

  @SuppressWarnings("ImmutableEnumChecker") // it is made by List.of
  private final List<String> libraries;

  /**
   * @param libraries by their coordinates
   */
  JaxrsServer(String title, Edition edition, String servlet, String... libraries) {
    this.title = title;
    this.edition = edition;
    this.servlet = servlet;
    this.libraries = List.of(libraries);
  }

  Edition edition() {
    return edition;
  }

  /** The application of the scenarios, with this configuration in the place for it. */
  War war(String configuration) throws IOException {
    return application(edition, libraries)
        .with("WEB-INF/web.xml", edition.webXml(webXml()))
        .with("WEB-INF/weir.yaml", configuration);
  }

  /** Its classes, with one jar of Weir and these libraries. */
  static War application(Edition edition, List<String> libraries) throws IOException {
    List<Path> jars = new ArrayList<>();
    jars.add(edition.feature());
    jars.addAll(Artifacts.withDependencies(libraries.toArray(String[]::new)));
    return new War()
        .libraries(jars)
        .classes(
            edition.resources(),
            "dev.weir.jaxrs.DeployedScenarios",
            "dev.weir.jaxrs.ScenarioApplication",
            "dev.weir.jaxrs.ScenarioApplication$Anything",
            "dev.weir.jaxrs.ScenarioApplication$Degraded",
            "dev.weir.jaxrs.ScenarioApplication$WithStatus");
  }

  private String webXml() {
    return WebXml.servlet(
        "scenarios",
        servlet,
        "/*",
        Map.of(edition + ".ws.rs.Application", "dev.weir.jaxrs.DeployedScenarios"));
  }

  @Override
  public String toString() {
    return title;
  }
}
