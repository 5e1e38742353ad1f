package dev.weir.demo.server;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A setup that reduces the log to what a visitor of the demo needs: one line for each notable
 * event.
 */
final class Logs {

  // held, since the JDK drops loggers without a strong reference
  private static final Logger JETTY = Logger.getLogger("org.eclipse.jetty");
  private static final List<Logger> STARTING =
      List.of(
          Logger.getLogger("org.eclipse.jetty.ee10.webapp"),
          Logger.getLogger("org.eclipse.jetty.server.handler"));

  private Logs() {}

  static void calm() {
    JETTY.setLevel(Level.WARNING);
    // a failed start of an application also throws, and the demo reports that
    STARTING.forEach(logger -> logger.setLevel(Level.SEVERE));
  }
}
