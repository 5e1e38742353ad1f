package dev.weir.servlet;

import dev.weir.fixture.Full;

/** The ends of requests in Tomcat. */
@Full
class TomcatRequestEndTest extends RequestEndSuite {

  @Override
  Container start() throws Exception {
    return TomcatContainer.start();
  }
}
