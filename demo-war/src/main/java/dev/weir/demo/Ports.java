package dev.weir.demo;

import jakarta.servlet.ServletContext;
import java.util.List;
import java.util.stream.Stream;

/** The ports that this application and its sister nodes listen on, all on one host. */
final class Ports {

  /** The context parameter that names them, separated by commas. */
  private static final String PARAMETER = "weir.demo.ports";

  private Ports() {}

  /** Returns the ports; empty without the parameter, as in a container with only this node. */
  static List<Integer> of(ServletContext context) {
    String ports = context.getInitParameter(PARAMETER);
    return ports == null ? List.of() : Stream.of(ports.split(",")).map(Integer::valueOf).toList();
  }
}
