package dev.weir.servlet;

import java.util.stream.Stream;

/** The containers that a test runs in, one after the other. */
final class Containers {

  private Containers() {}

  static Stream<Starter> all() {
    return Stream.of(
        new Starter("Jetty", JettyContainer::start), new Starter("Tomcat", TomcatContainer::start));
  }

  /** Starts one container. */
  record Starter(String name, Start start) {

    Container run() throws Exception {
      return start.run();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** How a container is started. */
  interface Start {
    Container run() throws Exception;
  }
}
