package dev.weir.servlet;

/** The ends of requests in Jetty. */
class JettyRequestEndTest extends RequestEndSuite {

  @Override
  Container start() throws Exception {
    return JettyContainer.start();
  }
}
