package dev.weir.servlet;

class JettyScenariosTest extends ScenarioContract {

  JettyScenariosTest() throws Exception {
    super(JettyContainer.start());
  }
}
