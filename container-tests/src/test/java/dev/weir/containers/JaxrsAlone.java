package dev.weir.containers;

import dev.weir.fixture.Jdk;
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
 * @param contextPath where it has applications
 * @param main starts it, with a port and the path of its address as arguments
 * @param address the path of its address
 * @param libraries by their coordinates
 */
record JaxrsAlone(
    String name, String contextPath, Class<?> main, String address, List<String> libraries)
    implements Container {

  static final JaxrsAlone RESTEASY =
      new JaxrsAlone(
          "RESTEasy 6.2.12 on its own",
          "/shop",
          RestEasyMain.class,
          "/shop",
          List.of("org.jboss.resteasy:resteasy-undertow:6.2.12.Final"));

  static final JaxrsAlone CXF =
      new JaxrsAlone(
          "CXF 4.1.3 on its own",
          "/shop",
          CxfMain.class,
          "/shop/",
          List.of(
              "org.apache.cxf:cxf-rt-frontend-jaxrs:4.1.3",
              "org.apache.cxf:cxf-rt-transports-http-jetty:4.1.3"));

  private static final JaxrsAlone CXF_BY_UNDERTOW =
      new JaxrsAlone(
          "CXF 4.1.3 on its own, by Undertow",
          "/shop",
          CxfMain.class,
          "/shop/",
          List.of(
              "org.apache.cxf:cxf-rt-frontend-jaxrs:4.1.3",
              "org.apache.cxf:cxf-rt-transports-http-undertow:4.1.3"));

  /** It refuses to start, so that it is not among the others. */
  static final JaxrsAlone QUARKUS_REST =
      new JaxrsAlone(
          "Quarkus REST 3.33.2",
          "/",
          QuarkusRestMain.class,
          "/",
          List.of(
              "io.quarkus.resteasy.reactive:resteasy-reactive:3.33.2",
              "io.quarkus.resteasy.reactive:resteasy-reactive-processor:3.33.2"));

  static Stream<JaxrsAlone> all() {
    return Stream.of(RESTEASY, CXF);
  }

  /** CXF on each of its transports. */
  static Stream<JaxrsAlone> ofCxf() {
    return Stream.of(CXF, CXF_BY_UNDERTOW);
  }

  /** The same server with another path of its address. */
  JaxrsAlone at(String path) {
    return new JaxrsAlone(name, contextPath, main, path, libraries);
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
        String.valueOf(port),
        address);
  }

  @Override
  public String toString() {
    return name;
  }
}
