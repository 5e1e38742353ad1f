package dev.weir.servlet;

import java.net.URI;
import java.nio.file.Path;

/** A servlet container that runs web applications, each deployed at {@code /shop}. */
interface Container extends AutoCloseable {

  String CONTEXT_PATH = "/shop";

  /**
   * Starts an application.
   *
   * @throws Exception what the container reports when the application does not start
   */
  void deploy(WebApp app) throws Exception;

  /**
   * Starts an application that cannot start, and returns the failure that the container reports.
   */
  String failureOf(WebApp app);

  /** Stops the application; the container runs on. */
  void undeploy() throws Exception;

  /** Also answers at this Unix socket. */
  void listenAt(Path socket) throws Exception;

  /** The class loader of the application that runs. */
  ClassLoader applicationClassLoader();

  /** The class of the servlet that serves files. */
  String fileServlet();

  /** Where the application answers. */
  URI base();

  @Override
  void close();
}
