package dev.weir.containers;

import java.util.stream.Stream;

/** The containers that everything runs in. */
final class Containers {

  /** Servlet 3.1. */
  private static final Tomcat TOMCAT_8 = new Tomcat("8.5.100", Edition.JAVAX);

  static final Tomcat TOMCAT_9 = new Tomcat("9.0.117", Edition.JAVAX);
  static final Tomcat TOMCAT_10 = new Tomcat("10.1.49", Edition.JAKARTA);
  static final Tomcat TOMCAT_11 = new Tomcat("11.0.14", Edition.JAKARTA);

  private static final String JETTY = "12.1.12";
  private static final String OPEN_LIBERTY = "25.0.0.12";

  private static final Tomcat TOMCAT_WITH_VIRTUAL_THREADS =
      new Tomcat(
          TOMCAT_11.version(),
          Edition.JAKARTA,
          "virtual threads",
          "useVirtualThreads='true' maxConnections='20000' acceptCount='10000'");

  private static final Jetty JETTY_WITH_VIRTUAL_THREADS =
      new Jetty(JETTY, "ee10", Edition.JAKARTA, "virtual threads", "threadpool-all-virtual");

  private Containers() {}

  /** Those that run on every Java since 17. */
  static Stream<Container> onAnyJava() {
    return Stream.of(
        TOMCAT_9,
        TOMCAT_10,
        TOMCAT_11,
        new Jetty(JETTY, "ee8", Edition.JAVAX),
        new Jetty(JETTY, "ee9", Edition.JAKARTA),
        new Jetty(JETTY, "ee10", Edition.JAKARTA),
        new Jetty(JETTY, "ee11", Edition.JAKARTA));
  }

  /** From Java 21 on. */
  static Stream<Container> withVirtualThreads() {
    return Stream.of(TOMCAT_WITH_VIRTUAL_THREADS, JETTY_WITH_VIRTUAL_THREADS);
  }

  /** Those, and the others. */
  static Stream<Container> all() {
    return Stream.concat(
        onAnyJava(),
        Stream.of(
            TOMCAT_8,
            new Undertow(System.getProperty("weir.undertow")),
            new PayaraMicro("6.2025.10"),
            new WildFly("26.1.3", Edition.JAVAX),
            new WildFly("34.0.1", Edition.JAKARTA),
            new OpenLiberty(OPEN_LIBERTY, Edition.JAVAX, "servlet-4.0"),
            new OpenLiberty(OPEN_LIBERTY, Edition.JAKARTA, "servlet-6.0")));
  }
}
