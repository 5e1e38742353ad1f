package dev.weir.servlet;

class TomcatScenariosTest extends ScenarioContract {

  TomcatScenariosTest() throws Exception {
    super(TomcatContainer.start());
  }
}
