package dev.weir.jaxrs;

import dev.weir.config.Weir;
import dev.weir.fixture.Full;

@Full
class JerseyTomcatScenariosTest extends ScenarioContract {

  @Override
  Server start(Weir weir, RateLimitFeature feature) throws Exception {
    return JerseyTomcat.at("/*", application(feature)).start();
  }
}
