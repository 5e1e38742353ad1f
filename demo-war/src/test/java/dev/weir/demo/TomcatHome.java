package dev.weir.demo;

import java.net.URI;
import java.nio.file.Path;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;

/** Tomcat 10.1. */
final class TomcatHome implements Deployed {

  private final Tomcat tomcat = new Tomcat();

  TomcatHome(Path directory) {
    tomcat.setBaseDir(directory.resolve("tomcat").toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getHost().setAppBase(directory.resolve("tomcat-apps").toString());
    StandardContext context = (StandardContext) tomcat.addWebapp(CONTEXT_PATH, war());
    context.setFailCtxIfServletStartFails(true);
    StandardJarScanner scanner = new StandardJarScanner();
    scanner.setScanClassPath(false);
    context.setJarScanner(scanner);
    try {
      tomcat.start();
    } catch (LifecycleException e) {
      throw new IllegalStateException(e);
    }
    if (!context.getState().isAvailable()) {
      close();
      throw new IllegalStateException("the application did not start");
    }
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + CONTEXT_PATH);
  }

  @Override
  public void close() {
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String war() {
    return DemoProcess.war().toString();
  }
}
