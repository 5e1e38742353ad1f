package dev.weir.tomcat;

import dev.weir.fixture.LogCapture;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.filters.RateLimitFilter;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Tomcat with an application of one page, behind its own filter with a limit of 4 per hour. */
record Node(Tomcat tomcat, String log) implements AutoCloseable {

  /**
   * @param parameters of the context
   */
  static Node start(Path directory, Map<String, String> parameters) throws Exception {
    Files.writeString(Files.createDirectories(directory.resolve("page")).resolve("a.txt"), "page");
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("/shop", directory.resolve("page").toString());
    parameters.forEach(context::addParameter);
    Tomcat.addServlet(context, "default", new DefaultServlet());
    context.addServletMappingDecoded("/", "default");
    context.addFilterDef(filter());
    FilterMap all = new FilterMap();
    all.setFilterName("flood");
    all.addURLPattern("/*");
    context.addFilterMap(all);
    try (LogCapture log = new LogCapture("org.apache.catalina")) {
      tomcat.start();
      return new Node(tomcat, log.text());
    }
  }

  private static FilterDef filter() {
    FilterDef filter = new FilterDef();
    filter.setFilterName("flood");
    filter.setFilterClass(RateLimitFilter.class.getName());
    filter.addInitParameter("rateLimitClassName", WeirRateLimiter.class.getName());
    filter.addInitParameter("bucketRequests", "4");
    filter.addInitParameter("bucketDuration", "3600");
    filter.addInitParameter("exposeHeaders", "true");
    return filter;
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/shop");
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
