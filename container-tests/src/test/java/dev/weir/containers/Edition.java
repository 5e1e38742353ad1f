package dev.weir.containers;

import java.nio.file.Path;

/** Which of the two names the API of servlets has. */
enum Edition {
  JAVAX("http://xmlns.jcp.org/xml/ns/javaee", "3.1") {
    @Override
    Path filter() {
      return Artifacts.built("weir-servlet-filter-javax-all.jar");
    }

    @Override
    Path feature() {
      return Artifacts.built("weir-jaxrs-provider-javax-all.jar");
    }

    @Override
    Path applications() {
      return Artifacts.built("applications-javax.jar");
    }

    @Override
    Path resources() {
      return applications();
    }
  },
  JAKARTA("https://jakarta.ee/xml/ns/jakartaee", "5.0") {
    @Override
    Path filter() {
      return Artifacts.built("weir-servlet-filter-all.jar");
    }

    @Override
    Path feature() {
      return Artifacts.built("weir-jaxrs-provider-all.jar");
    }

    @Override
    Path applications() {
      return Artifacts.built("weir-servlet-filter-tests.jar");
    }

    @Override
    Path resources() {
      return Artifacts.built("weir-jaxrs-provider-tests.jar");
    }
  };

  private final String namespace;
  private final String version;

  Edition(String namespace, String version) {
    this.namespace = namespace;
    this.version = version;
  }

  /** The one jar that an application adds for the filter. */
  abstract Path filter();

  /** The one for JAX-RS. */
  abstract Path feature();

  /** Has the servlets of the scenarios. */
  abstract Path applications();

  /** Has their JAX-RS resources. */
  abstract Path resources();

  /** The root of a {@code web.xml} with this in it. */
  String webXml(String content) {
    return "<web-app xmlns=\"%s\" version=\"%s\">%n%s%n</web-app>%n"
        .formatted(namespace, version, content);
  }

  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
