package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application with libraries that are ten years older than Weir's. */
class OldLibrariesIT {

  private static final List<String> LIBRARIES =
      List.of(
          "org.slf4j:slf4j-api:1.7.5",
          "org.slf4j:slf4j-log4j12:1.7.5",
          "log4j:log4j:1.2.17",
          "com.github.ben-manes.caffeine:caffeine:2.6.2",
          "com.google.code.gson:gson:2.2.4");

  private static final String LOG4J =
      """
      log4j.rootLogger=INFO, out
      log4j.appender.out=org.apache.log4j.ConsoleAppender
      log4j.appender.out.layout=org.apache.log4j.PatternLayout
      log4j.appender.out.layout.ConversionPattern=log4j 1: %c: %m%n
      """;

  @Test
  void works_as_before_and_logs_as_before(@TempDir Path directory) throws Exception {
    try (RunningContainer container =
        RunningContainer.start(Containers.TOMCAT_10, Jdk.running(), war(), directory)
            .untilItAnswers("/old")) {
      container.untilItSays("log4j 1: old.application: /shop/old by org.slf4j");
      assertThat(container.status("/old")).isEqualTo(200);
      assertThat(container.status("/old")).as("the third of two").isEqualTo(429);
      container.untilItSays("Redis at 127.0.0.1:1 is out");
      assertThat(container.log())
          .doesNotContain("StaticLoggerBinder", "multiple SLF4J", "NoSuchMethod", "NoClassDef");
    }
  }

  private static War war() throws IOException {
    List<Path> jars = new ArrayList<>();
    jars.add(Edition.JAKARTA.filter());
    LIBRARIES.stream().map(Artifacts::file).forEach(jars::add);
    return new War()
        .with("WEB-INF/web.xml", Edition.JAKARTA.webXml(webXml()))
        .with("WEB-INF/classes/log4j.properties", LOG4J)
        .libraries(jars)
        .classes(OldLibrariesServlet.class);
  }

  private static String webXml() {
    return WebXml.filter(
            Map.of(
                "limit",
                "2 per hour",
                "subject",
                "global",
                "application",
                "old",
                "redis",
                "redis://127.0.0.1:1"))
        + WebXml.servlet("old", OldLibrariesServlet.class.getName(), "/old", Map.of());
  }
}
