package dev.weir.jaxrs;

import dev.weir.config.Weir;

class JdkHttpScenariosTest extends ScenarioContract {

  @Override
  Server start(Weir weir, RateLimitFeature feature) throws Exception {
    return JdkHttp.start(application(feature.clientAddress(Server::peerAddress)));
  }
}
