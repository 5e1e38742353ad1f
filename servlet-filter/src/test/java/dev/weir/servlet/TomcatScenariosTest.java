package dev.weir.servlet;

import dev.weir.fixture.Full;

@Full
class TomcatScenariosTest extends ScenarioContract {

  TomcatScenariosTest() throws Exception {
    super(TomcatContainer.start());
  }
}
