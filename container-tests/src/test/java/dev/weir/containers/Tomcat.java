package dev.weir.containers;

import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Tomcat, from its archive.
 *
 * @param kind what is special about it, empty where nothing is
 * @param connector attributes of its connector
 */
record Tomcat(String version, Edition edition, String kind, String connector) implements Container {

  /** The users that may access what is for users only. */
  private static final String USERS =
      "<tomcat-users><user username='jolokia' password='jolokia' roles='jolokia'/></tomcat-users>";

  Tomcat(String version, Edition edition) {
    this(version, edition, "", "");
  }

  @Override
  public String name() {
    return "Tomcat " + version + (kind.isEmpty() ? "" : ", " + kind);
  }

  @Override
  public List<String> prepare(Path war, Path place, int port, Jdk jdk) throws IOException {
    Path home = Artifacts.unpacked("org.apache.tomcat:tomcat:zip:" + version);
    for (String directory : List.of("conf", "logs", "temp", "webapps", "work")) {
      Files.createDirectories(place.resolve(directory));
    }
    Files.copy(home.resolve("conf/web.xml"), place.resolve("conf/web.xml"));
    Files.writeString(place.resolve("conf/server.xml"), server(port));
    Files.writeString(place.resolve("conf/tomcat-users.xml"), USERS);
    Files.copy(war, place.resolve("webapps/shop.war"));
    Path bin = home.resolve("bin");
    return List.of(
        jdk.home().resolve("bin/java").toString(),
        "-Xmx256m",
        "--add-opens=java.base/java.lang=ALL-UNNAMED", // as its own script has it
        "-Dcatalina.home=" + home,
        "-Dcatalina.base=" + place,
        "-Djava.io.tmpdir=" + place.resolve("temp"),
        "-cp",
        bin.resolve("bootstrap.jar") + java.io.File.pathSeparator + bin.resolve("tomcat-juli.jar"),
        "org.apache.catalina.startup.Bootstrap",
        "start");
  }

  private String server(int port) {
    return """
        <Server port="-1">
          <Service name="Catalina">
            <Connector address="127.0.0.1" port="%d" %s/>
            <Engine name="Catalina" defaultHost="localhost">
              <Realm className="org.apache.catalina.realm.MemoryRealm"/>
              <Host name="localhost" appBase="webapps">
                <Valve className="org.apache.catalina.valves.AccessLogValve" directory="logs"
                    prefix="access" buffered="false" pattern="%s"/>
              </Host>
            </Engine>
          </Service>
        </Server>
        """
        .formatted(port, connector, Container.accessLog("%%{%s}r"));
  }
}
