package dev.weir.containers;

import dev.weir.Jdk;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A JAX-RS server without a servlet container around it, in a process of its own.
 *
 * @param name as the matrix calls it
 * @param contextPath where it has applications; the path of CXF's address is within them
 * @param main starts it, with a port as its argument
 * @param libraries by their coordinates
 */
record JaxrsAlone(String name, String contextPath, Class<?> main, List<String> libraries)
    implements Container {

  static final JaxrsAlone RESTEASY =
      new JaxrsAlone(
          "RESTEasy 6.2.12 on its own",
          "/shop",
          RestEasyMain.class,
          List.of("org.jboss.resteasy:resteasy-undertow:6.2.12.Final"));

  static final JaxrsAlone CXF =
      new JaxrsAlone(
          "CXF 4.1.3 on its own",
          "",
          CxfMain.class,
          List.of(
              "org.apache.cxf:cxf-rt-frontend-jaxrs:4.1.3",
              "org.apache.cxf:cxf-rt-transports-http-jetty:4.1.3"));

  static Stream<JaxrsAlone> all() {
    return Stream.of(RESTEASY, CXF);
  }

  @Override
  public Edition edition() {
    return Edition.JAKARTA;
  }

  /** The application of the scenarios, with this configuration on its class path. */
  War application(String configuration) throws IOException {
    return JaxrsServer.application(edition(), libraries)
        .with("WEB-INF/classes/weir.yaml", configuration);
  }

  @Override
  public List<String> prepare(Path war, Path place, int port, Jdk jdk) throws IOException {
    Path application = place.resolve("shop/WEB-INF");
    Artifacts.unpack(war, place.resolve("shop"));
    String classPath =
        Stream.of(
                application.resolve("classes"),
                application.resolve("lib/*"),
                Artifacts.testClasses())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    return List.of(
        jdk.home().resolve("bin/java").toString(),
        "-Xmx256m",
        "-cp",
        classPath,
        main.getName(),
        String.valueOf(port));
  }

  @Override
  public String toString() {
    return name;
  }
}
