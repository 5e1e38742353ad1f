package dev.weir.jaxrs;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.net.URI;
import java.util.Optional;

/** A running JAX-RS application. */
interface Server extends AutoCloseable {

  URI base();

  @Override
  void close();

  /** Returns the address of the peer that this server passes to applications. */
  static Optional<String> peerAddress(ContainerRequestContext request) {
    return Optional.ofNullable((String) request.getProperty(Server.class.getName()));
  }
}
