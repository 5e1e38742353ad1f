package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.spi.Outcome;
import dev.weir.store.Subject;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** What the log tells at debug level about each denial, and about no other request. */
class DenialLogTest extends LimiterUnderTest {

  private static final RequestMatcher ALL = RequestMatcher.of("/**");
  private static final FakeRequest REQUEST = FakeRequest.get("/").header("X-API-Key", "s3cr3t");

  private List<String> logged(int allowed, Rule... rules) {
    RuleLimiter limiter = limiter(rules);
    try (LogCapture log = new LogCapture("dev.weir.http")) {
      exhaust(limiter, REQUEST, allowed);
      assertThat(log.records()).isEmpty();
      Outcome unused = limiter.limit(REQUEST.again());
      return log.records().stream().map(LogRecord::getMessage).toList();
    }
  }

  @Test
  void the_rule_and_the_limit_that_denied_and_the_kind_of_the_subject() {
    Rule byKey = Rules.rule("keys", ALL, "header:X-API-Key", API);
    assertThat(logged(5, byKey))
        .containsExactly(
            "denied by rule keys, limit api (5 per minute) of header:x-api-key, source LOCAL,"
                + " retry after PT12S");
  }

  @Test
  void what_a_shadow_would_have_denied() {
    Rule shadow =
        Rules.rule("candidate", ALL, "global", LOGIN).toBuilder().onDenial(OnDenial.SHADOW).build();
    assertThat(logged(2, shadow))
        .containsExactly(
            "would be denied by the shadow candidate, limit login (2 per minute) of "
                + Subject.global()
                + ", source LOCAL, retry after PT30S");
  }

  @Test
  void a_client_that_a_list_refuses() {
    Rule listed =
        Rules.rule("listed", ALL, "ip", API).toBuilder()
            .clients(ClientPolicy.SAME_FOR_ALL.withDenied(Clients.in(List.of("192.0.2.1"))))
            .build();
    assertThat(logged(0, listed)).containsExactly("denied by rule listed, source RULE");
  }
}
