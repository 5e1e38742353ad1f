package dev.weir.demo.server;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Leaves in the log what a visitor of the demo wants to read: one line for each thing of note. */
final class Logs {

  /** Held, since the JDK forgets loggers that nobody holds. */
  private static final Logger JETTY = Logger.getLogger("org.eclipse.jetty");

  private Logs() {}

  static void calm() {
    JETTY.setLevel(Level.WARNING);
  }
}
