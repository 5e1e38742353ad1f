package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.LogCapture;
import dev.weir.fixture.RecordCache;
import dev.weir.fixture.TemporaryFiles;
import dev.weir.http.RawHttp;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.Jedis;

/** An application that is stopped leaves nothing of ours in the container. */
class UndeployTest {

  private static final List<String> OTHERS =
      List.of("qtp", "Scheduler-", "http-nio", "Catalina-utility", "awaitility", "HttpClient-");

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void deploying_five_times_leaves_no_thread(Containers.Starter starter, @TempDir Path directory)
      throws Exception {
    Map<String, String> params =
        Map.of("limit", "9 per second", "application", "shop", "redis", "redis://127.0.0.1:1");
    WebApp app = WebApp.in(directory, params);
    try (Container container = starter.run()) {
      List<String> before = threads();
      for (int i = 0; i < 5; i++) {
        container.deploy(app);
        assertThat(new RawHttp(container.base()).get("/").status()).isEqualTo(200);
        assertThat(threads()).as("who looks for Redis has threads").isNotEqualTo(before);
        container.undeploy();
        await().untilAsserted(() -> assertThat(threads()).isEqualTo(before));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void an_application_that_brings_its_own_jars_is_collected_whole(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    Map<String, String> params =
        Map.of("limit", "9 per second", "application", "shop", "redis", "redis://127.0.0.1:1");
    WebApp app = WebApp.in(directory, params).withLibraries();
    try (Container container = starter.run();
        LogCapture leaks = new LogCapture("org.apache.catalina.loader")) {
      container.deploy(app);
      assertThat(new RawHttp(container.base()).get("/").field("RateLimit")).contains("\"weir\"");
      WeakReference<ClassLoader> loader = new WeakReference<>(container.applicationClassLoader());
      assertThat(loadsItsOwnWeir(loader)).isTrue();
      container.undeploy();
      await()
          .untilAsserted(
              () -> {
                RecordCache.turnOver();
                System.gc();
                assertThat(loader.get()).isNull();
              });
      assertThat(leaks.text()).doesNotContain("memory leak", "failed to stop");
    }
  }

  /** As somebody does who copies a new version over an exploded one. */
  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void an_application_whose_files_were_deleted_leaves_nothing(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Jedis client = redis.client();
        Container container = starter.run();
        LogCapture leaks = new LogCapture("org.apache.catalina.loader")) {
      List<String> before = threads();
      for (int i = 0; i < 3; i++) {
        Map<String, String> params =
            Map.of("limit", "9 per second", "application", "shop", "redis", redis.uri());
        container.deploy(WebApp.in(directory.resolve("shop"), params).withLibraries());
        await().until(() -> client.zcard("shop:{nodes}:weir") == 1);
        await().until(() -> !threads().contains("weir-classes"));
        TemporaryFiles.delete(directory.resolve("shop"));
        container.undeploy();
        await().untilAsserted(() -> assertThat(threads()).isEqualTo(before));
        assertThat(client.zcard("shop:{nodes}:weir")).as("nodes in Redis").isZero();
      }
      assertThat(leaks.text()).doesNotContain("memory leak", "failed to stop");
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.servlet.Containers#all")
  void threads_by_which_requests_have_waited_have_ended_when_it_is_stopped(
      Containers.Starter starter, @TempDir Path directory) throws Exception {
    Map<String, String> params =
        Map.of("limit", "1 per 100ms window", "on-denial", "delay up to 20s", "subject", "global");
    WebApp app = WebApp.in(directory, params);
    try (Container container = starter.run();
        LogCapture leaks = new LogCapture("org.apache.catalina.loader")) {
      List<String> before = threads();
      for (int i = 0; i < 5; i++) {
        container.deploy(app);
        RawHttp http = new RawHttp(container.base());
        assertThat(http.get("/").status()).isEqualTo(200);
        assertThat(http.get("/").status()).isEqualTo(200);
        container.undeploy();
        assertThat(threads()).isEqualTo(before);
      }
      assertThat(leaks.text()).doesNotContain("memory leak", "failed to stop");
    }
  }

  private static boolean loadsItsOwnWeir(WeakReference<ClassLoader> loader)
      throws ClassNotFoundException {
    ClassLoader own = Objects.requireNonNull(loader.get());
    return own.loadClass(RateLimitFilter.class.getName()).getClassLoader() == own;
  }

  /** All but those that serve requests and this test, of which there may be more or fewer. */
  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> OTHERS.stream().noneMatch(name::startsWith))
        .sorted()
        .toList();
  }
}
