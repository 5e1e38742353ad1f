package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import java.net.URL;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is valid, and probably limits nothing, is one warning with its cure. */
class LimitsNothingTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          limits: { a: 100 per minute } | rule 'r' costs the bytes of its response, and limit 'a' is not written in bytes: it grants 100 bytes at once; write it as a size, such as '100 MB per minute'
          limits: { a: 100 MB per minute } |
          limits: { a: { fixed-window: 100 MB per day } } |
          limits: { a: { leaky-bucket: 1 MB per second, capacity: 2 MB } } |
          """)
  void bytes_over_a_limit_in_permits(String limits, @Nullable String advice) {
    String rule = "rules: [{ name: r, match: /**, limits: a, cost: response bytes }]";
    assertThat(Weirs.settings(limits + "\n" + rule).advice())
        .isEqualTo(advice == null ? List.of() : List.of(advice));
    String upload = rule.replace("response", "request").replace("/**", "POST /**");
    assertThat(Weirs.settings(limits + "\n" + upload).advice())
        .isEqualTo(
            advice == null ? List.of() : List.of(advice.replace("its response", "its request")));
  }

  @Test
  void request_bytes_of_methods_without_a_body() {
    String yaml =
        """
        limits: { upload: 1 MB per minute }
        rules: [{ name: r, match: [POST /up, /**], limits: upload, cost: { request: bytes, unknown: 1 kB } }]
        """;
    assertThat(Weirs.settings(yaml).advice())
        .containsExactly(
            "rule 'r' costs the bytes of its request, and '/**' matches GET: over HTTP/2, each GET costs 1000, for it may have a body of unknown length; name the methods that have one, as in 'POST /files/**'");
    assertThat(Weirs.settings(yaml.replace("/**", "PUT /**")).advice()).isEmpty();
  }

  @Test
  void limits_without_a_rule_in_an_application_without_annotations() {
    assertThat(warnings("limits: { login: 5 per minute }", ""))
        .singleElement()
        .asString()
        .contains("there are limits and no rule, so nothing is limited")
        .contains("rules: [{ name: all, match: /**, limits: [NAME] }]");
    assertThat(warnings("rules: [{ name: r, match: /**, limits: 5/s }]", "")).isEmpty();
  }

  @Test
  void a_pattern_that_begins_with_the_context_path() {
    String yaml = "rules: [{ name: r, match: /shop/login, limits: 5/s }]";
    assertThat(warnings(yaml, "/shop"))
        .singleElement()
        .asString()
        .contains("rule 'r': '/shop/login' begins with the context path of this application")
        .contains("leave out '/shop'");
    assertThat(warnings(yaml, "/other")).isEmpty();
    assertThat(warnings(yaml, "")).isEmpty();
  }

  @Test
  void an_exception_from_overload_control_that_begins_with_it() {
    String yaml =
        """
        rules: [{ name: r, match: /**, limits: 5/s }]
        overload: { except: [/health, /shop/health] }
        """;
    assertThat(warnings(yaml, "/shop"))
        .singleElement()
        .asString()
        .contains("overload: except: '/shop/health' begins with the context path")
        .contains("leave out '/shop'");
    assertThat(warnings(yaml, "")).isEmpty();
  }

  /** Returns the warnings of an application that is deployed twice at this path. */
  private static List<String> warnings(String yaml, String contextPath) {
    try (LogCapture log = new LogCapture("dev.weir.config");
        Weir weir = Weir.open(Weirs.webInf(yaml, new WithoutAnnotations()))) {
      weir.deployedAt(contextPath);
      weir.deployedAt(contextPath);
      return log.records().stream()
          .filter(record -> record.getLevel().equals(Level.WARNING))
          .map(LogRecord::getMessage)
          .toList();
    }
  }

  /** A servlet application, which has no JAX-RS module. */
  private static final class WithoutAnnotations extends ClassLoader {

    WithoutAnnotations() {
      super(LimitsNothingTest.class.getClassLoader());
    }

    @Override
    public @Nullable URL getResource(String name) {
      return name.endsWith("RateLimited.class") ? null : super.getResource(name);
    }
  }
}
