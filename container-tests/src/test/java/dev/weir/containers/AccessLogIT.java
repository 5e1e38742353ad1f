package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The access log of a container says which rule and which limit denied a request, and whom. */
class AccessLogIT {

  private static final String RULES =
      """
      rules:
        - { name: login, match: /login, subject: ip, limits: [1 per day] }
        - { name: candidate, match: /next, subject: ip, limits: [1 per day], on-denial: shadow }
        - { name: closed, match: /closed, subject: ip, limits: [9 per day], deny: [127.0.0.0/8] }
      """;

  static Stream<Container> containers() {
    return Containers.all()
        .filter(
            it ->
                it instanceof Tomcat
                    || it instanceof Jetty
                    || it instanceof Undertow
                    || it instanceof WildFly);
  }

  @ParameterizedTest
  @MethodSource("containers")
  void a_denial_has_its_rule_and_limit_and_an_allowed_request_has_nothing(
      Container container, @TempDir Path directory) throws Exception {
    Path configuration = Files.writeString(directory.resolve("weir.yaml"), RULES);
    War war = ScenarioWar.of(container.edition(), configuration);
    try (RunningContainer running =
        RunningContainer.start(container, Jdk.running(), war, directory)
            .untilItAnswers("/free/anything")) {
      for (String path : List.of("/login", "/login", "/next", "/next", "/closed")) {
        running.status(path);
      }
      await().until(() -> lines(directory).size() == 5);
    }
    String tag = "[A-Za-z0-9_-]{8}";
    assertThat(lines(directory)) // each task writes its line once its client has the answer
        .satisfiesExactlyInAnyOrder(
            first ->
                assertThat(first)
                    .contains("/login 200 ")
                    .endsWith("denied=- source=- subject=- shadow=-"),
            denied ->
                assertThat(denied)
                    .matches(".* 429 denied=login/login source=local subject=" + tag + " shadow=-"),
            next ->
                assertThat(next)
                    .contains("/next 200 ")
                    .endsWith("denied=- source=- subject=- shadow=-"),
            shadow ->
                assertThat(shadow)
                    .matches(
                        ".* denied=- source=local subject=%1$s shadow=candidate/candidate/%1$s"
                            .formatted(tag)),
            closed ->
                assertThat(closed).endsWith(" 403 denied=closed/- source=rule subject=- shadow=-"));
  }

  /** The lines of the limited paths, which the container has written to its output or to a file. */
  private static List<String> lines(Path directory) {
    Path place = directory.resolve("container");
    try (Stream<Path> files = Files.find(place, 2, (file, its) -> its.isRegularFile())) {
      return files
          .filter(
              file -> file.getFileName().toString().matches("container.log|.*(access|request).*"))
          .flatMap(AccessLogIT::read)
          .filter(line -> line.matches(".*GET /shop/(login|next|closed) .*denied=.*"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> read(Path log) {
    try {
      return Files.readString(log).lines().map(String::strip);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
