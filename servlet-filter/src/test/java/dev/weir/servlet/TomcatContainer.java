package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.fixture.LogCapture;
import dev.weir.fixture.TemporaryFiles;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.catalina.Container;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.jspecify.annotations.Nullable;

/** Tomcat 10.1, with HTTP/1.1 and HTTP/2 in clear text. */
final class TomcatContainer implements dev.weir.servlet.Container {

  private final Tomcat tomcat = new Tomcat();
  private final Path home = Files.createTempDirectory("tomcat");
  private final Consumer<StandardContext> preparation;
  private @Nullable StandardContext context;

  static TomcatContainer start() throws Exception {
    return new TomcatContainer(context -> {});
  }

  /** With something set on each application before it starts. */
  static TomcatContainer startWith(Consumer<StandardContext> preparation) throws Exception {
    return new TomcatContainer(preparation);
  }

  private TomcatContainer(Consumer<StandardContext> preparation) throws Exception {
    this.preparation = preparation;
    tomcat.setBaseDir(home.toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getConnector().addUpgradeProtocol(http2());
    tomcat.start();
  }

  /**
   * Tomcat 10.1.49 may use the request of a stream again before it is recycled, if its asynchronous
   * work has failed. Later streams then get no answer, with this filter and without it.
   */
  private static Http2Protocol http2() {
    Http2Protocol http2 = new Http2Protocol();
    http2.setDiscardRequestsAndResponses(true);
    return http2;
  }

  @Override
  public void deploy(WebApp app) throws LifecycleException {
    StandardContext starting = new StandardContext();
    starting.setPath(CONTEXT_PATH);
    starting.setDocBase(app.directory().toAbsolutePath().toString());
    ContextConfig config = new ContextConfig();
    config.setDefaultWebXml(tomcat.noDefaultWebXmlPath());
    starting.addLifecycleListener(config);
    StandardJarScanner scanner = new StandardJarScanner();
    scanner.setScanClassPath(false);
    starting.setJarScanner(scanner);
    preparation.accept(starting);
    context = starting;
    Container host = tomcat.getHost();
    host.addChild(starting);
    if (!starting.getState().isAvailable()) {
      throw new LifecycleException("the application did not start");
    }
  }

  /** Tomcat keeps the exception to itself, and its log. */
  @Override
  public String failureOf(WebApp app) {
    try (LogCapture log = new LogCapture("org.apache.catalina.core")) {
      assertThatThrownBy(() -> deploy(app)).isInstanceOf(LifecycleException.class);
      return log.text();
    }
  }

  @Override
  public void undeploy() throws LifecycleException {
    StandardContext stopping = Objects.requireNonNull(context);
    tomcat.getHost().removeChild(stopping);
    stopping.destroy();
    context = null;
  }

  @Override
  public void listenAt(Path socket) {
    Connector unix = new Connector();
    unix.setProperty("unixDomainSocketPath", socket.toString());
    unix.addUpgradeProtocol(http2());
    tomcat.getService().addConnector(unix); // starts it
  }

  @Override
  public ClassLoader applicationClassLoader() {
    return Objects.requireNonNull(context).getLoader().getClassLoader();
  }

  @Override
  public String fileServlet() {
    return "org.apache.catalina.servlets.DefaultServlet";
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + CONTEXT_PATH);
  }

  @Override
  public void close() {
    assertThatNoException().isThrownBy(tomcat::stop);
    assertThatNoException().isThrownBy(tomcat::destroy);
    TemporaryFiles.delete(home);
  }

  @Override
  public String toString() {
    return "Tomcat";
  }
}
