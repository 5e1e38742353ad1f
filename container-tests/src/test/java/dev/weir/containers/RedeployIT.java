package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.RecordCache;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.scan.StandardJarScanner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/** An application that is started fifty times leaves nothing of Weir in its container. */
class RedeployIT {

  private static final int TIMES = 50;
  private static final Duration LONG = Duration.ofMinutes(1);

  private final Path directory;

  RedeployIT(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void a_filter_in_the_application() throws Exception {
    redeploys(redis -> filter(redis).libraries(List.of(Edition.JAKARTA.filter())));
  }

  /** The classes of these tests stand for the container's: they have Weir's filter. */
  @Test
  void a_filter_in_the_container() throws Exception {
    redeploys(RedeployIT::filter);
  }

  @ParameterizedTest
  @EnumSource(
      value = JaxrsServer.class,
      names = {"JERSEY_3", "RESTEASY", "CXF"})
  void a_feature_in_the_application(JaxrsServer server) throws Exception {
    redeploys(redis -> server.war(file(redis)));
  }

  /** Of an application that counts in this Redis. */
  private interface Packing {

    War war(RedisServer redis) throws IOException;
  }

  private static War filter(RedisServer redis) {
    return new War()
        .with("WEB-INF/web.xml", Edition.JAKARTA.webXml(WebXml.filter(Map.of())))
        .with("WEB-INF/weir.yaml", file(redis))
        .with("free/started", "yes");
  }

  private static String file(RedisServer redis) {
    return """
        application: shop
        redis: { uri: "%s" }
        rules: [{ name: all, match: /**, subject: ip, limits: [1000 per hour, 5 concurrent] }]
        """
        .formatted(redis.uri());
  }

  private void redeploys(Packing packing) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    Files.createDirectories(directory.resolve("webapps"));
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Jedis client = redis.client()) {
      Path war = packing.war(redis).writeTo(directory.resolve("shop.war"));
      tomcat.getConnector().setProperty("address", "127.0.0.1");
      tomcat.start();
      Set<Thread> before = threads();
      StandardContext application = (StandardContext) tomcat.addWebapp("/shop", war.toString());
      StandardJarScanner scanner = new StandardJarScanner();
      scanner.setScanClassPath(false);
      application.setJarScanner(scanner);
      List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
      for (int i = 0; i < TIMES; i++) {
        assertThat(application.getState().isAvailable()).isTrue();
        loaders.add(new WeakReference<>(application.getLoader().getClassLoader()));
        assertThat(status(tomcat)).isEqualTo(HttpURLConnection.HTTP_OK);
        application.reload();
      }
      tomcat.getHost().removeChild(application);
      application.destroy();
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                assertThat(client.clientList().lines()).as("sockets").hasSize(1);
                assertThat(threads()).isSubsetOf(before);
                assertThat(beans()).isEmpty();
              });
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> {
                RecordCache.turnOver();
                System.gc();
                assertThat(loaders).allMatch(loader -> loader.refersTo(null));
              });
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  private static int status(Tomcat tomcat) throws IOException {
    int port = tomcat.getConnector().getLocalPort();
    URI target = URI.create("http://127.0.0.1:" + port + "/shop/free/started");
    return ((HttpURLConnection) target.toURL().openConnection()).getResponseCode();
  }

  /** All but those of the container and of this test, of which there may be more or fewer. */
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(
            thread ->
                !thread.getName().startsWith("http-")
                    && !thread.getName().startsWith("Keep-Alive")
                    && !thread.getName().startsWith("Catalina-utility")
                    && !thread.getName().startsWith("awaitility"))
        .collect(Collectors.toSet());
  }

  private static Set<ObjectName> beans() throws Exception {
    return ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName("dev.weir*:*"), null);
  }
}
