package dev.weir.jaxrs;

import dev.weir.config.Weir;

class JerseyServletScenariosTest extends ScenarioContract {

  @Override
  Server start(Weir weir, RateLimitFeature feature) throws Exception {
    return JerseyServlet.at("/*", application(feature)).start();
  }
}
