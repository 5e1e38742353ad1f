package dev.weir.jaxrs;

import org.glassfish.jersey.server.ResourceConfig;

/** Where Jersey may run, and where its paths begin there. */
enum ServerKind {
  JDK("") {
    @Override
    Server start(ResourceConfig application) throws Exception {
      return JdkHttp.start(application);
    }
  },
  GRIZZLY("") {
    @Override
    Server start(ResourceConfig application) {
      return Grizzly.start(application);
    }
  },
  GRIZZLY_BELOW_A_PATH("/shop") {
    @Override
    Server start(ResourceConfig application) {
      return Grizzly.start("/shop", application);
    }
  },
  SERVLET("") {
    @Override
    Server start(ResourceConfig application) throws Exception {
      return JerseyServlet.at("/*", application).start();
    }
  },
  SERVLET_BELOW_A_PATH("/rest") {
    @Override
    Server start(ResourceConfig application) throws Exception {
      return JerseyServlet.at("/rest/*", application).start();
    }
  };

  private final String prefix;

  ServerKind(String prefix) {
    this.prefix = prefix;
  }

  abstract Server start(ResourceConfig application) throws Exception;

  /** The path within the application of this one within JAX-RS. */
  String path(String path) {
    return prefix + path;
  }
}
