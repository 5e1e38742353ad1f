package dev.weir.jaxrs;

import dev.weir.config.Weir;
import dev.weir.fixture.Full;
import dev.weir.http.HttpScenarios;

@Full
class GrizzlyScenariosTest extends ScenarioContract {

  @Override
  HttpScenarios scenarios() {
    return super.scenarios().except("path: half an escape", "Jersey fails before any filter runs");
  }

  @Override
  Server start(Weir weir, RateLimitFeature feature) {
    return Grizzly.start(application(feature.clientAddress(Server::peerAddress)));
  }
}
