package dev.weir.servlet;

/** The ends of requests in Tomcat. */
class TomcatRequestEndTest extends RequestEndSuite {

  @Override
  Container start() throws Exception {
    return TomcatContainer.start();
  }
}
