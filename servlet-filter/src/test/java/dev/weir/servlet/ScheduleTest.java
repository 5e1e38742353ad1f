package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Http2Upgrade;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Ten requests a minute by day, and two by night, whatever time it is now. */
class ScheduleTest {

  private static final String RULES =
      """
      rules:
        - { name: day, match: /a, limits: [10 per hour], when: "%s" }
        - { name: night, match: /a, limits: [2 per hour], when: ["%s"] }
      """;

  static Stream<Arguments> containersAndVersions() {
    return Containers.all()
        .flatMap(it -> Stream.of(Version.HTTP_1_1, Version.HTTP_2).map(v -> Arguments.of(it, v)));
  }

  @ParameterizedTest
  @MethodSource("containersAndVersions")
  void by_day_there_are_ten(Containers.Starter starter, Version version, @TempDir Path directory)
      throws Exception {
    LocalTime now = now();
    String day = range(now.minusHours(6), now.plusHours(6));
    String night = range(now.plusHours(6), now.minusHours(6));
    verify(starter, version, WebApp.in(directory, webXml()).with(file(), yaml(day, night)), 10);
  }

  @ParameterizedTest
  @MethodSource("containersAndVersions")
  void by_night_there_are_two(Containers.Starter starter, Version version, @TempDir Path directory)
      throws Exception {
    LocalTime now = now();
    String day = range(now.plusHours(6), now.minusHours(6));
    String night = range(now.minusHours(6), now.plusHours(6));
    verify(starter, version, WebApp.in(directory, webXml()).with(file(), yaml(day, night)), 2);
  }

  private static void verify(Containers.Starter starter, Version version, WebApp app, int passing)
      throws Exception {
    try (Container container = starter.run()) {
      container.deploy(app);
      HttpClient client = HttpClient.newBuilder().version(version).build();
      Http2Upgrade.of(client, URI.create(container.base() + "/free"));
      HttpRequest request = HttpRequest.newBuilder(URI.create(container.base() + "/a")).build();
      String rule = passing == 10 ? "day" : "night";
      for (int i = 0; i < passing; i++) {
        HttpResponse<Void> response = client.send(request, BodyHandlers.discarding());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("RateLimit-Policy"))
            .hasValue("\"%s\";q=%d;w=3600".formatted(rule, passing));
      }
      HttpResponse<Void> denied = client.send(request, BodyHandlers.discarding());
      assertThat(denied.statusCode()).isEqualTo(429);
      assertThat(denied.version()).isEqualTo(version);
    }
  }

  private static LocalTime now() {
    return LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MINUTES);
  }

  private static String range(LocalTime from, LocalTime to) {
    return from + "-" + to + " UTC";
  }

  private static String webXml() {
    return WebApp.webXml(QueryTest.Echo.class.getName());
  }

  private static String file() {
    return "WEB-INF/weir.yaml";
  }

  private static String yaml(String day, String night) {
    return RULES.formatted(day, night);
  }
}
