package dev.weir.containers;

import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** WildFly, from its archive, with the configuration that it comes with and an access log. */
record WildFly(String version, Edition edition) implements Container {

  /** As its own script has them. */
  private static final List<String> OPEN =
      List.of("java.lang", "java.lang.invoke", "java.lang.reflect", "java.io", "java.util");

  @Override
  public String name() {
    return "WildFly " + version;
  }

  @Override
  public List<String> prepare(Path war, Path place, int port, Jdk jdk) throws IOException {
    Path home = Artifacts.unpacked("org.wildfly:wildfly-dist:zip:" + version + ".Final");
    Files.createDirectories(place.resolve("configuration"));
    try (Stream<Path> files = Files.list(home.resolve("standalone/configuration"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, place.resolve("configuration").resolve(file.getFileName()));
      }
    }
    Path configuration = place.resolve("configuration/standalone.xml");
    String withLog =
        Files.readString(configuration)
            .replace(
                "<http-invoker http",
                "<access-log use-server-log=\"true\" pattern=\"%s\"/><http-invoker http"
                    .formatted(Container.accessLog("%%{r,%s}")));
    Files.writeString(configuration, withLog);
    Files.createDirectories(place.resolve("deployments"));
    Files.copy(war, place.resolve("deployments/shop.war"));
    List<String> command = new ArrayList<>();
    command.add(jdk.home().resolve("bin/java").toString());
    command.add("-Xmx512m");
    OPEN.forEach(each -> command.add("--add-opens=java.base/" + each + "=ALL-UNNAMED"));
    Collections.addAll(
        command,
        "-Djboss.home.dir=" + home,
        "-Djboss.server.base.dir=" + place,
        "-Djboss.http.port=" + port,
        "-Djboss.https.port=0",
        "-Djboss.management.http.port=0",
        "-Djboss.management.https.port=0",
        "-jar",
        home.resolve("jboss-modules.jar").toString(),
        "-mp",
        home.resolve("modules").toString(),
        "org.jboss.as.standalone");
    return command;
  }
}
