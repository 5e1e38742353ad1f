package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.Weir;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.io.Serial;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The redirects that came with Servlet 6.1, in a Tomcat 11 of a class loader of its own. */
class Servlet61RedirectTest {

  private static final Path TOMCAT_11 = Path.of("target/servlet-6.1/tomcat.jar");
  private static final List<String> OTHER_CONTAINERS = List.of("tomcat-embed-core", "jetty");

  @Test
  void a_redirect_costs_what_it_keeps_and_none_replaces_a_denial(@TempDir Path directory)
      throws Exception {
    try (URLClassLoader loader = servlet61()) {
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(loader);
      try {
        Object run =
            loader
                .loadClass(Run.class.getName())
                .getDeclaredConstructor(Path.class)
                .newInstance(directory);
        assertThat(((Callable<?>) run).call()).isEqualTo("done");
      } finally {
        thread.setContextClassLoader(before);
      }
    }
  }

  private static URLClassLoader servlet61() throws IOException {
    List<URL> urls = new ArrayList<>(List.of(TOMCAT_11.toUri().toURL()));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      String name = new File(entry).getName();
      if (OTHER_CONTAINERS.stream().noneMatch(name::contains)) {
        urls.add(new File(entry).toURI().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  /** What runs there. */
  public static final class Run implements Callable<String> {

    private static final int LIMIT = 10_000;
    private static final String BY_BYTES =
        """
        limits: { traffic: %d B per day window }
        rules:
          - name: traffic
            match: /**
            subject: global
            limits: [traffic]
            cost: { response: bytes, reserve: 1 B }
          - { name: a, match: /denied/status, limits: [1 per hour], denied: { forward: /status } }
          - { name: b, match: /denied/all, limits: [1 per hour], denied: { forward: /all } }
          - { name: c, match: /denied/keeping, limits: [1 per hour], denied: { forward: /keeping } }
        """
            .formatted(LIMIT);

    private final Path directory;

    public Run(Path directory) {
      this.directory = directory;
    }

    @Override
    public String call() throws Exception {
      TomcatURLStreamHandlerFactory.disable(); // a JVM has one, and the other Tomcat may be it
      Tomcat tomcat = new Tomcat();
      try (Weir weir = Weir.of(BY_BYTES)) {
        RawHttp http = new RawHttp(started(tomcat, weir));
        assertCosts(http);
        for (String way : List.of("/denied/status", "/denied/all", "/denied/keeping")) {
          http.get(way);
          Answer denied = http.get(way, "Accept: text/html");
          assertThat(denied.status()).as(way).isEqualTo(429);
          assertThat(denied.has("Location")).as(way).isFalse();
          assertThat(denied.body()).as(way).startsWith("{");
        }
      } finally {
        tomcat.stop();
        tomcat.destroy();
      }
      return "done";
    }

    private URI started(Tomcat tomcat, Weir weir) throws LifecycleException {
      tomcat.setBaseDir(directory.toString());
      tomcat.setPort(0);
      tomcat.getConnector().setProperty("address", "127.0.0.1");
      Context context = tomcat.addContext("", directory.toString());
      Tomcat.addServlet(context, "redirecting", new Redirecting());
      context.addServletMappingDecoded("/", "redirecting");
      FilterDef filter = new FilterDef();
      filter.setFilterName("weir");
      filter.setFilter(new RateLimitFilter(weir));
      context.addFilterDef(filter);
      FilterMap everywhere = new FilterMap();
      everywhere.setFilterName("weir");
      everywhere.addURLPattern("/*");
      context.addFilterMap(everywhere);
      tomcat.start();
      return URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort());
    }

    private static void assertCosts(RawHttp http) {
      assertThat(http.get("/status").status()).isEqualTo(307);
      awaitSpent(http, 0, "sendRedirect(String, int)");
      assertThat(http.get("/all").status()).isEqualTo(308);
      awaitSpent(http, 0, "sendRedirect(String, int, boolean)");
      assertThat(http.get("/keeping").status()).isEqualTo(302);
      awaitSpent(http, Redirecting.BODY, "sendRedirect(String, boolean)");
    }

    private static void awaitSpent(RawHttp http, int expected, String way) {
      await()
          .untilAsserted(
              () ->
                  assertThat(http.get("/nothing").field("RateLimit"))
                      .as(way)
                      .startsWith("\"traffic\";r=" + (LIMIT - expected - 1) + ";"));
    }
  }

  /** Calls what it cannot be compiled against. */
  public static final class Redirecting extends HttpServlet {

    static final int BODY = 500;

    @Serial private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      switch (request.getServletPath()) {
        case "/status" -> redirect(response, new Class<?>[] {int.class}, 307);
        case "/all" -> redirect(response, new Class<?>[] {int.class, boolean.class}, 308, true);
        case "/keeping" -> redirect(response, new Class<?>[] {boolean.class}, false);
        default -> response.setStatus(HttpServletResponse.SC_NO_CONTENT);
      }
    }

    private static void redirect(HttpServletResponse response, Class<?>[] types, Object... values)
        throws IOException {
      response.getOutputStream().write(new byte[BODY]);
      List<Class<?>> allTypes = new ArrayList<>(List.of(String.class));
      allTypes.addAll(List.of(types));
      List<Object> allValues = new ArrayList<>(List.of("/elsewhere"));
      allValues.addAll(List.of(values));
      try {
        HttpServletResponse.class
            .getMethod("sendRedirect", allTypes.toArray(new Class<?>[0]))
            .invoke(response, allValues.toArray());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
