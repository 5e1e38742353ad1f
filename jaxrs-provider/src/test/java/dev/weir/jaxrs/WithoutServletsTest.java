package dev.weir.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.config.Weir;
import dev.weir.http.RawHttp;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** A server without servlets has no Servlet API either. */
class WithoutServletsTest {

  private static final List<String> WITH_SERVLETS = List.of("servlet", "tomcat", "jetty");

  @Test
  void the_provider_loads_and_limits_without_the_Servlet_API() throws Exception {
    try (URLClassLoader loader = withoutServlets()) {
      assertThatThrownBy(() -> loader.loadClass("jakarta.servlet.Servlet"))
          .isInstanceOf(ClassNotFoundException.class);
      Thread thread = Thread.currentThread();
      ClassLoader before = thread.getContextClassLoader();
      thread.setContextClassLoader(loader);
      try {
        Object run = loader.loadClass(Run.class.getName()).getDeclaredConstructor().newInstance();
        assertThat(((Callable<?>) run).call()).isEqualTo(List.of(200, 429));
      } finally {
        thread.setContextClassLoader(before);
      }
    }
  }

  private static URLClassLoader withoutServlets() throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      String name = new File(entry).getName();
      if (WITH_SERVLETS.stream().noneMatch(name::contains)) {
        urls.add(new File(entry).toURI().toURL());
      }
    }
    return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
  }

  /** What runs there: two requests where one may pass. */
  public static final class Run implements Callable<List<Integer>> {

    private static final String ONE_PER_HOUR =
        "rules: [{ name: all, match: /**, subject: ip, limits: [1 per hour] }]";

    @Override
    public List<Integer> call() throws IOException {
      try (Weir weir = Weir.of(ONE_PER_HOUR);
          Server server = start(weir)) {
        RawHttp http = new RawHttp(server.base());
        return List.of(http.get("/").status(), http.get("/").status());
      }
    }

    private static Server start(Weir weir) throws IOException {
      RateLimitFeature feature = new RateLimitFeature(weir).clientAddress(Server::peerAddress);
      return JdkHttp.start(ScenarioApplication.with(feature));
    }
  }
}
