package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.netflix.concurrency.limits.Limiter;
import dev.weir.fixture.Full;
import dev.weir.fixture.LogCapture;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisServers;
import dev.weir.redis.RedisVersion;
import dev.weir.store.LimitStore;
import inet.ipaddr.IPAddress;
import io.github.bucket4j.Bucket;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.pool2.BaseObjectPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.snakeyaml.engine.v2.api.Load;
import redis.clients.jedis.Jedis;

/**
 * An application whose files are gone is closed as any other. Tomcat stops an exploded application
 * only after its directory was deleted or replaced.
 */
@Full
class DeletedApplicationTest {

  /** A class of each directory and jar that an application has. */
  private static final List<Class<?>> OF_EACH =
      List.of(
          Weir.class,
          LimitStore.class,
          LogCapture.class,
          DeletedApplicationTest.class,
          Jedis.class,
          BaseObjectPool.class,
          Bucket.class,
          Caffeine.class,
          Limiter.class,
          IPAddress.class,
          Load.class,
          Nullable.class,
          LoggerFactory.class);

  /** An exploded application: its classes and those of its libraries, one file each. */
  private static Path files;

  @BeforeAll
  static void unpack(@TempDir Path directory) throws IOException, URISyntaxException {
    files = Files.createDirectory(directory.resolve("shop"));
    for (Class<?> one : OF_EACH) {
      Path path = Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI());
      if (Files.isDirectory(path)) {
        copy(path, files);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(path)) {
          copy(jar.getPath("/"), files);
        }
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        if (Files.notExists(target)) {
          Files.copy(file, target);
        }
      }
    }
  }

  /** The application's classes, read from its files when they are first needed. */
  private static final class Application extends URLClassLoader {

    private final Queue<String> missing = new ConcurrentLinkedQueue<>();

    private Application() throws IOException {
      super(new URL[] {files.toUri().toURL()}, ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try {
        return super.findClass(name);
      } catch (ClassNotFoundException absent) {
        missing.add(name);
        throw absent;
      }
    }

    /** Starts a program that is not used before it is closed. */
    private AutoCloseable startIdle(String yaml) throws Exception {
      return inApplication(
          () -> (AutoCloseable) ofWeir().getMethod("of", String.class).invoke(null, yaml));
    }

    /** Starts a program that has decided requests of all kinds. */
    private AutoCloseable startUsed(String yaml) throws Exception {
      return inApplication(() -> used(loadClass(LimitedProgram.class.getName()), yaml));
    }

    @SuppressWarnings("unchecked")
    private static AutoCloseable used(Class<?> program, String yaml)
        throws ReflectiveOperationException {
      Object started = program.getDeclaredConstructor().newInstance();
      return ((Function<String, AutoCloseable>) started).apply(yaml);
    }

    private Class<?> ofWeir() throws ClassNotFoundException {
      return loadClass(Weir.class.getName());
    }

    private AutoCloseable inApplication(Callable<AutoCloseable> start) throws Exception {
      Thread current = Thread.currentThread();
      ClassLoader before = current.getContextClassLoader();
      current.setContextClassLoader(this);
      try {
        return start.call();
      } finally {
        current.setContextClassLoader(before);
      }
    }

    private List<String> threads() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getContextClassLoader() == this)
          .map(Thread::getName)
          .toList();
    }
  }

  @Test
  void an_idle_one_leaves_no_thread_and_no_node_in_redis() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Application application = new Application()) {
      assertClosesWhole(application, application.startIdle(yaml(redis.uri())), redis);
    }
  }

  @Test
  void it_leaves_no_thread_and_no_node_in_redis() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Application application = new Application()) {
      assertClosesWhole(application, application.startUsed(yaml(redis.uri())), redis);
    }
  }

  @Test
  void it_leaves_no_thread_and_no_node_in_a_cluster() throws Exception {
    try (RedisServers cluster = RedisServers.cluster(RedisVersion.newest(), 2);
        Application application = new Application()) {
      AutoCloseable running = application.startUsed(yaml(cluster.uri()));
      assertClosesWhole(application, running, cluster.get(0), cluster.get(1));
    }
  }

  @Test
  void it_leaves_no_thread_and_no_node_behind_sentinel() throws Exception {
    try (RedisServers sentinels = RedisServers.sentinels(RedisVersion.newest(), 1);
        Application application = new Application()) {
      AutoCloseable running = application.startUsed(yaml(sentinels.uri()));
      assertClosesWhole(application, running, sentinels.get(0));
    }
  }

  @Test
  void it_leaves_no_thread_when_redis_has_gone_first() throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        Application application = new Application()) {
      AutoCloseable running = application.startUsed(yaml(redis.uri()));
      awaitClasses(application);
      redis.kill();
      closeWithoutFiles(application, running);
    }
  }

  private static void assertClosesWhole(
      Application application, AutoCloseable running, RedisServer... servers) throws Exception {
    awaitClasses(application);
    await().until(() -> nodes(servers) == 1);
    closeWithoutFiles(application, running);
    assertThat(nodes(servers)).as("nodes in Redis").isZero();
  }

  private static void awaitClasses(Application application) {
    await().until(() -> !application.threads().contains("weir-classes"));
  }

  private static void closeWithoutFiles(Application application, AutoCloseable running)
      throws Exception {
    application.missing.clear();
    Path away = Files.move(files, files.resolveSibling("away"));
    try {
      running.close();
      await().untilAsserted(() -> assertThat(application.threads()).isEmpty());
      assertThat(application.missing).as("classes needed for the first time").isEmpty();
    } finally {
      Files.move(away, files);
    }
  }

  private static String yaml(String uri) {
    return """
    application: shop
    redis: { uri: "%s", deadline: 2s }
    limits:
      bucket: { token-bucket: 1000 per second, leases: auto }
      window: 1 per 1m window
      held: 5 concurrent
    rules:
      - { name: paid, match: /paid/**, subject: ip, limits: bucket }
      - { name: held, match: /held, subject: ip, limits: held }
      - { name: slow, match: /slow, subject: ip, limits: window, on-denial: delay up to 5m }
    """
        .formatted(uri);
  }

  private static long nodes(RedisServer... servers) {
    long nodes = 0;
    for (RedisServer server : servers) {
      try (Jedis client = server.client()) {
        for (String key : client.keys("shop:{nodes*}:weir")) {
          nodes += client.zcard(key);
        }
      }
    }
    return nodes;
  }
}
