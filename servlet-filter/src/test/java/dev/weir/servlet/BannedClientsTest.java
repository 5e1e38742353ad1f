package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.config.WeirMXBean;
import dev.weir.http.Answer;
import dev.weir.http.Http2Upgrade;
import dev.weir.http.RawHttp;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.CharArrayWriter;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.catalina.valves.AbstractAccessLogValve;
import org.eclipse.jetty.server.CustomRequestLog;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that guess, and are refused for a while, as the log of a container has it. */
class BannedClientsTest {

  private static final String YAML =
      """
      application: shop
      redis: { uri: "%s", deadline: 5s }
      rules:
        - name: guess
          match: /a
          subject: ip
          limits: 2 per minute window
          ban: 15m after 3 denials in 1m
      """;

  /** Starts a container that writes its access log to these lines. */
  private interface Logging {
    Container start(List<String> lines) throws Exception;
  }

  static Stream<Logging> containers() {
    return Stream.of(
        lines ->
            TomcatContainer.startWith(
                context -> {
                  AbstractAccessLogValve log =
                      new AbstractAccessLogValve() {
                        @Override
                        protected void log(CharArrayWriter message) {
                          lines.add(message.toString());
                        }
                      };
                  log.setPattern("%s %{dev.weir.banned}r");
                  context.getPipeline().addValve(log);
                }),
        lines ->
            JettyContainer.startWith(
                context ->
                    context
                        .getServer()
                        .setRequestLog(
                            new CustomRequestLog(lines::add, "%s %{dev.weir.banned}attr"))));
  }

  @ParameterizedTest
  @MethodSource("containers")
  void a_banned_client_learns_when_the_ban_ends_and_the_access_log_names_the_rule(
      Logging logging, @TempDir Path directory) throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    RedisServer redis = RedisServer.start(RedisVersion.newest());
    Path file = Files.writeString(directory.resolve("weir.yaml"), YAML.formatted(redis.uri()));
    WebApp app =
        WebApp.in(
            Files.createDirectory(directory.resolve("app")), Map.of("config", file.toString()));
    try (redis;
        Container container = logging.start(lines)) {
      container.deploy(app);
      RawHttp http = new RawHttp(container.base());
      for (int status : new int[] {200, 200, 429, 429, 429}) {
        assertThat(http.get("/a").status()).isEqualTo(status);
      }
      await().until(() -> !http.get("/a").has("RateLimit"));
      Answer banned = http.get("/a");
      assertThat(banned.status()).isEqualTo(429);
      assertThat(banned.retryAfterSeconds().orElseThrow()).isBetween(880L, 900L);
      assertThat(banned.field("Cache-Control")).isEqualTo("no-store");
      assertThat(banned.body()).contains("Too Many Requests").contains("\"ban:guess\"");
      HttpRequest request = HttpRequest.newBuilder(URI.create(container.base() + "/a")).build();
      HttpClient client = HttpClient.newHttpClient();
      Http2Upgrade.of(client, URI.create(container.base() + "/free"));
      HttpResponse<Void> overHttp2 = client.send(request, HttpResponse.BodyHandlers.discarding());
      assertThat(overHttp2.version()).isEqualTo(HttpClient.Version.HTTP_2);
      assertThat(overHttp2.statusCode()).isEqualTo(429);
      assertThat(overHttp2.headers().firstValueAsLong("Retry-After").orElseThrow())
          .isBetween(880L, 900L);
      assertThat(http.get("/other").isPassed()).as("another rule's requests").isTrue();
      assertThat(http.from("127.0.0.2", "GET", "/a").isPassed()).as("another client").isTrue();
      await().until(() -> lines.contains("429 guess"));
      assertThat(lines).filteredOn(line -> line.contains("guess")).containsOnly("429 guess");

      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName pattern = new ObjectName("dev.weir:type=Weir,name=\"" + file + "*\",*");
      ObjectName name = server.queryNames(pattern, null).iterator().next();
      WeirMXBean bean = JMX.newMXBeanProxy(server, name, WeirMXBean.class);
      assertThat(bean.getBanned().get("guess")).isGreaterThanOrEqualTo(2);
      assertThat(bean.getDenied().get("guess")).isGreaterThanOrEqualTo(3);
    }
  }
}
