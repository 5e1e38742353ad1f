package dev.weir.containers;

import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Jetty, from its archive, with the module of one generation of Java EE.
 *
 * @param module such as {@code ee10}
 * @param kind what is special about it, empty where nothing is
 * @param pool the module of its threads
 */
record Jetty(String version, String module, Edition edition, String kind, String pool)
    implements Container {

  Jetty(String version, String module, Edition edition) {
    this(version, module, edition, "", "threadpool");
  }

  @Override
  public String name() {
    return "Jetty "
        + version
        + " "
        + module.toUpperCase(Locale.ROOT)
        + (kind.isEmpty() ? "" : ", " + kind);
  }

  @Override
  public List<String> prepare(Path war, Path place, int port, Jdk jdk) throws IOException {
    Path home = Artifacts.unpacked("org.eclipse.jetty:jetty-home:zip:" + version);
    Files.createDirectories(place.resolve("webapps"));
    Files.createDirectories(place.resolve("logs"));
    Files.copy(war, place.resolve("webapps/shop.war"));
    return List.of(
        jdk.home().resolve("bin/java").toString(),
        "-Xmx256m",
        "-jar",
        home.resolve("start.jar").toString(),
        "jetty.home=" + home,
        "jetty.base=" + place,
        "jetty.http.host=127.0.0.1",
        "jetty.http.port=" + port,
        "jetty.http.acceptQueueSize=10000",
        "jetty.requestlog.formatString=" + Container.accessLog("%%{%s}attr"),
        "jetty.threadPool.maxConcurrentTasks=20000", // where its threads are virtual
        "--modules=%2$s,http,requestlog,%1$s-deploy,%1$s-annotations".formatted(module, pool));
  }
}
