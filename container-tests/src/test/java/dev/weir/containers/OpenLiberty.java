package dev.weir.containers;

import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Open Liberty, from its archive.
 *
 * @param features of its runtime, such as {@code servlet-6.0}
 */
record OpenLiberty(String version, Edition edition, String features) implements Container {

  @Override
  public String name() {
    return "Open Liberty " + version + ", " + features;
  }

  @Override
  public Map<String, String> ownFaults() {
    return Map.of(
        "path: a matrix parameter that climbs", "it answers the first such request with 500");
  }

  /** Before Jakarta EE it does not, unless it is configured to. */
  @Override
  public boolean endsWithItsListeners() {
    return edition == Edition.JAKARTA;
  }

  @Override
  public List<String> prepare(Path war, Path place, int port, Jdk jdk) throws IOException {
    Path home = Artifacts.unpacked("io.openliberty:openliberty-runtime:zip:" + version);
    Path server = Files.createDirectories(place.resolve("servers/defaultServer"));
    Files.writeString(server.resolve("server.xml"), configuration(war, port));
    return List.of(
        "env",
        "WLP_USER_DIR=" + place,
        jdk.home().resolve("bin/java").toString(),
        "-Xmx512m",
        "-javaagent:" + home.resolve("bin/tools/ws-javaagent.jar"),
        "-jar",
        home.resolve("bin/tools/ws-server.jar").toString(),
        "defaultServer");
  }

  private String configuration(Path war, int port) {
    StringBuilder enabled = new StringBuilder();
    for (String feature : features.split(", ", -1)) {
      enabled.append("<feature>").append(feature).append("</feature>");
    }
    return """
        <server>
          <featureManager>%s</featureManager>
          <httpEndpoint id="defaultHttpEndpoint" host="127.0.0.1" httpPort="%d" httpsPort="-1"/>
          <webApplication location="%s" contextRoot="/shop"/>
        </server>
        """
        .formatted(enabled, port, war);
  }
}
