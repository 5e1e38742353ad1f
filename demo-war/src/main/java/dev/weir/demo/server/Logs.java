package dev.weir.demo.server;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Leaves in the log what a visitor of the demo wants to read: one line for each thing of note. */
final class Logs {

  // held, since the JDK forgets loggers that nobody holds
  private static final Logger JETTY = Logger.getLogger("org.eclipse.jetty");
  private static final List<Logger> STARTING =
      List.of(
          Logger.getLogger("org.eclipse.jetty.ee10.webapp"),
          Logger.getLogger("org.eclipse.jetty.server.handler"));

  private Logs() {}

  static void calm() {
    JETTY.setLevel(Level.WARNING);
    // what goes wrong when an application starts is thrown as well, and told by us
    STARTING.forEach(logger -> logger.setLevel(Level.SEVERE));
  }
}
