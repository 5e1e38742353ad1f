package dev.weir.demo;

import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Tomcat 10.1 with one WAR: {@code TomcatMain <war> <context path> <work directory>}. */
final class TomcatMain {

  private TomcatMain() {}

  public static void main(String[] arguments) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(arguments[2]);
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getHost().setAppBase(arguments[2]);
    Context context = tomcat.addWebapp(arguments[1], arguments[0]);
    tomcat.start();
    if (!context.getState().isAvailable()) {
      System.exit(1);
    }
    System.out.println(DeployedWar.READY + tomcat.getConnector().getLocalPort());
    tomcat.getServer().await();
  }
}
