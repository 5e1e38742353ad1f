package dev.weir.servlet;

import dev.weir.fixture.Full;

/** The ends of requests in Jetty. */
@Full
class JettyRequestEndTest extends RequestEndSuite {

  @Override
  Container start() throws Exception {
    return JettyContainer.start();
  }
}
