package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.LogCapture;
import dev.weir.fixture.RecordCache;
import dev.weir.fixture.TemporaryFiles;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.startup.HostConfig;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** Tomcat watches its webapps: an exploded application is deleted, and copied there again. */
class AutoDeployTest {

  private static final String NODES = "shop:{nodes}:weir";

  /** The application has Weir, not the container. */
  private static final String CONTEXT = "<Context><JarScanner scanClassPath='false'/></Context>";

  private final Path shop;
  private final Tomcat tomcat = new Tomcat();
  private final StandardHost host;

  AutoDeployTest(@TempDir Path directory) throws IOException {
    shop = directory.resolve("webapps/shop");
    Files.createDirectories(shop.getParent());
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    host = (StandardHost) tomcat.getHost();
    host.addLifecycleListener(new HostConfig());
    tomcat.getEngine().setBackgroundProcessorDelay(-1); // this test says when Tomcat looks
  }

  @Test
  void a_deleted_application_leaves_no_node_no_thread_and_no_class() throws Exception {
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Jedis client = redis.client();
        LogCapture leaks = new LogCapture("org.apache.catalina.loader")) {
      tomcat.start();
      for (int i = 0; i < 3; i++) {
        copy(redis);
        host.backgroundProcess();
        Context application = (Context) host.findChild("/shop");
        assertThat(application.getState().isAvailable()).isTrue();
        loaders.add(new WeakReference<>(application.getLoader().getClassLoader()));
        await().until(() -> client.zcard(NODES) == 1);
        await().until(() -> !threads().contains("weir-classes"));
        TemporaryFiles.delete(shop);
        host.backgroundProcess();
        assertThat(host.findChild("/shop")).isNull();
        assertThat(client.zcard(NODES)).as("nodes in Redis").isZero();
        assertThat(threads()).isEmpty();
      }
      assertThat(leaks.text()).doesNotContain("memory leak", "failed to stop");
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
    await()
        .untilAsserted(
            () -> {
              RecordCache.turnOver();
              System.gc();
              assertThat(loaders).allMatch(loader -> loader.refersTo(null));
            });
  }

  private void copy(RedisServer redis) throws IOException {
    Map<String, String> params =
        Map.of("limit", "9 per second", "application", "shop", "redis", redis.uri());
    WebApp.in(shop, params).with("META-INF/context.xml", CONTEXT).withLibraries();
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("weir"))
        .toList();
  }
}
