package dev.weir.jaxrs;

import dev.weir.config.Weir;
import dev.weir.fixture.Full;
import dev.weir.servlet.RateLimitFilter;

/** Filter and provider in one application charge once. */
@Full
class BehindFilterScenariosTest extends ScenarioContract {

  @Override
  Server start(Weir weir, RateLimitFeature feature) throws Exception {
    return JerseyServlet.at("/*", application(feature)).behind(new RateLimitFilter(weir)).start();
  }
}
