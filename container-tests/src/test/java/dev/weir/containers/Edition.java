package dev.weir.containers;

import java.nio.file.Path;
import java.util.Locale;

/** Which of the two names the API of servlets has. */
enum Edition {
  JAVAX(
      "http://xmlns.jcp.org/xml/ns/javaee",
      "3.1",
      "-javax-all.jar",
      "applications-javax.jar",
      "applications-javax.jar"),
  JAKARTA(
      "https://jakarta.ee/xml/ns/jakartaee",
      "5.0",
      "-all.jar",
      "weir-servlet-filter-tests.jar",
      "weir-jaxrs-provider-tests.jar");

  private final String namespace;
  private final String version;
  private final String suffix;
  private final String applications;
  private final String resources;

  Edition(String namespace, String version, String suffix, String applications, String resources) {
    this.namespace = namespace;
    this.version = version;
    this.suffix = suffix;
    this.applications = applications;
    this.resources = resources;
  }

  /** The one jar that an application adds for the filter. */
  Path filter() {
    return Artifacts.built("weir-servlet-filter" + suffix);
  }

  /** The one for JAX-RS. */
  Path feature() {
    return Artifacts.built("weir-jaxrs-provider" + suffix);
  }

  /** The one for the filter on an old JVM. */
  Path java8Filter() {
    return Artifacts.built("weir-servlet-filter" + java8Suffix());
  }

  /** The one for JAX-RS on an old JVM. */
  Path java8Feature() {
    return Artifacts.built("weir-jaxrs-provider" + java8Suffix());
  }

  private String java8Suffix() {
    return suffix.replace("-all", "-java8-all");
  }

  /** The one for Tomcat's own filter. */
  Path tomcat() {
    return Artifacts.built("weir-tomcat" + suffix);
  }

  /** Has the servlets of the scenarios. */
  Path applications() {
    return Artifacts.built(applications);
  }

  /** Has their JAX-RS resources. */
  Path resources() {
    return Artifacts.built(resources);
  }

  /** The root of a {@code web.xml} with this in it. */
  String webXml(String content) {
    return "<web-app xmlns=\"%s\" version=\"%s\">%n%s%n</web-app>%n"
        .formatted(namespace, version, content);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
