package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.weir.fixture.TemporaryFiles;
import jakarta.servlet.Filter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

/** Jersey as a servlet in Tomcat, at {@code /shop} and below a path of its own if it has one. */
final class JerseyTomcat implements Server {

  private final Tomcat tomcat = new Tomcat();
  private final Path home = Files.createTempDirectory("tomcat");
  private final Context context;

  /** Not started yet. */
  static JerseyTomcat at(String pattern, ResourceConfig application) throws Exception {
    return new JerseyTomcat(pattern, application);
  }

  private JerseyTomcat(String pattern, ResourceConfig application) throws Exception {
    tomcat.setBaseDir(home.toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    tomcat.getConnector().addUpgradeProtocol(new Http2Protocol());
    context = tomcat.addContext("/shop", null);
    Wrapper jersey = Tomcat.addServlet(context, "jersey", new ServletContainer(application));
    jersey.setLoadOnStartup(1);
    jersey.setAsyncSupported(true);
    context.addServletMappingDecoded(pattern, "jersey");
  }

  /** With this filter in front. */
  JerseyTomcat behind(Filter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilterName("weir");
    definition.setFilter(filter);
    context.addFilterDef(definition);
    FilterMap everything = new FilterMap();
    everything.setFilterName("weir");
    everything.addURLPattern("/*");
    context.addFilterMap(everything);
    return this;
  }

  JerseyTomcat start() throws Exception {
    tomcat.start();
    return this;
  }

  @Override
  public URI base() {
    return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/shop");
  }

  @Override
  public void close() {
    assertThatNoException().isThrownBy(tomcat::stop);
    assertThatNoException().isThrownBy(tomcat::destroy);
    TemporaryFiles.delete(home);
  }
}
