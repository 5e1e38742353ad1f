package dev.weir.cli;

import dev.weir.http.RawHttp;
import dev.weir.servlet.RateLimitFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.Serial;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A Tomcat whose filter limits by a file. */
record ServedNode(Tomcat tomcat) implements AutoCloseable {

  /** Answers everything that the filter lets pass. */
  public static final class Page extends HttpServlet {

    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) {
      response.setStatus(200);
    }
  }

  /** Starts a node with this configuration. */
  static ServedNode start(String yaml, Path folder) throws Exception {
    Path configuration = Files.writeString(folder.resolve("weir.yaml"), yaml);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.resolve("tomcat").toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", folder.toString());
    Tomcat.addServlet(context, "page", new Page()).setAsyncSupported(true);
    context.addServletMappingDecoded("/", "page");
    FilterDef filter = new FilterDef();
    filter.setFilterName("weir");
    filter.setFilterClass(RateLimitFilter.class.getName());
    filter.setAsyncSupported("true");
    filter.addInitParameter("config", configuration.toString());
    context.addFilterDef(filter);
    FilterMap all = new FilterMap();
    all.setFilterName("weir");
    all.addURLPattern("/*");
    context.addFilterMap(all);
    tomcat.start();
    return new ServedNode(tomcat);
  }

  RawHttp http() {
    return new RawHttp(URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort()));
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
