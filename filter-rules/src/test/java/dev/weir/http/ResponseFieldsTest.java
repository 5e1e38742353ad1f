package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ResponseStyle.Fields;
import dev.weir.http.ResponseStyle.Legacy;
import dev.weir.http.internal.response.ProblemBody;
import dev.weir.http.internal.response.ResponseFields;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Body;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.limit.Limit;
import dev.weir.store.Counter;
import dev.weir.store.Decision;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Source;
import dev.weir.store.Subject;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What a decision looks like in an answer. */
class ResponseFieldsTest {

  private static final Verdict FITS = verdict("flood", "100/s", 9, Retry.NOW, 1_500);
  private static final Verdict DENIES = verdict("login", "5 per minute", 0, after(11_001), 60_000);
  private static final Verdict NEVER = verdict("big", "5 per minute", 5, Retry.NEVER, 0);

  private final ResponseFields fields = new ResponseFields(ResponseStyle.DEFAULT);

  @Test
  void a_request_that_passes_is_told_what_is_left() {
    Outcome outcome = fields.passed(List.of(FITS));
    assertThat(outcome.fields())
        .containsExactly(
            new Field("RateLimit-Policy", "\"flood\";q=100;w=1"),
            new Field("RateLimit", "\"flood\";r=9;t=2"));
  }

  @Test
  void an_answer_with_the_same_numbers_is_formatted_once() {
    Verdict other = verdict("flood", "100/s", 9, Retry.NOW, 1_001);
    assertThat(fields.passed(List.of(other))).isSameAs(fields.passed(List.of(FITS)));
  }

  @Test
  void an_answer_is_never_that_of_other_numbers() {
    fields.passed(List.of(verdict("Aa", "100/s", 9, Retry.NOW, 1_500)));
    List<Verdict> others = // the hash of BB is that of Aa
        List.of(
            verdict("BB", "100/s", 9, Retry.NOW, 1_500),
            verdict("BB", "200/s", 9, Retry.NOW, 1_500),
            verdict("BB", "200/s", 9, after(4_500), 1_500));
    for (Verdict verdict : others) {
      assertThat(fields.passed(List.of(verdict)).fields())
          .isEqualTo(new ResponseFields(ResponseStyle.DEFAULT).passed(List.of(verdict)).fields());
    }
  }

  @Test
  void answers_that_share_a_slot_are_not_mixed_up() {
    for (int remaining = 0; remaining <= 480; remaining++) {
      isFormatted(remaining, 1);
      isFormatted(remaining + 512, 1);
      isFormatted(remaining + 512, 513);
    }
  }

  private void isFormatted(int remaining, long seconds) {
    Verdict verdict = verdict("flood", "100/s", remaining, Retry.NOW, 1_000 * seconds);
    assertThat(field(fields.passed(List.of(verdict)), "RateLimit"))
        .isEqualTo("\"flood\";r=" + remaining + ";t=" + seconds);
  }

  @Test
  void a_time_of_day_is_never_that_of_an_earlier_answer() {
    Iterator<Instant> seconds =
        List.of(Instant.ofEpochSecond(1), Instant.ofEpochSecond(2)).iterator();
    InstantSource times = seconds::next;
    ResponseStyle style = ResponseStyle.DEFAULT.withLegacy(Legacy.X_RATELIMIT_EPOCH);
    ResponseFields byTheClock = new ResponseFields(style, times.withZone(ZoneOffset.UTC));
    assertThat(field(byTheClock.passed(List.of(FITS)), "X-RateLimit-Reset")).isEqualTo("3");
    assertThat(field(byTheClock.passed(List.of(FITS)), "X-RateLimit-Reset")).isEqualTo("4");
  }

  @Test
  void a_denial_names_the_limit_that_binds_and_when_to_come_back() {
    Rejected rejected = denied(ResponseStyle.DEFAULT, FITS, DENIES);
    assertThat(rejected.status()).isEqualTo(429);
    assertThat(rejected.fields())
        .containsExactly(
            new Field("Retry-After", "12"),
            new Field("Cache-Control", "no-store"),
            new Field("RateLimit-Policy", "\"flood\";q=100;w=1, \"login\";q=5;w=60"),
            new Field("RateLimit", "\"login\";r=0;t=12"));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "999, 1", "1000, 1", "1001, 2", "59999, 60", "60000, 60"})
  void retry_after_is_whole_seconds_rounded_up_and_at_least_one(long millis, String seconds) {
    Verdict verdict = verdict("login", "5 per minute", 0, after(millis), 60_000);
    assertThat(field(denied(ResponseStyle.DEFAULT, verdict), "Retry-After")).isEqualTo(seconds);
  }

  @Test
  void retry_after_is_rounded_up_from_a_nanosecond() {
    Retry soon = new Retry.After(Duration.ofNanos(1));
    Verdict verdict = verdict("login", "5 per minute", 0, soon, 60_000);
    assertThat(field(denied(ResponseStyle.DEFAULT, verdict), "Retry-After")).isEqualTo("1");
  }

  @Test
  void what_never_fits_has_no_retry_after() {
    Rejected rejected = denied(ResponseStyle.DEFAULT, DENIES, NEVER);
    assertThat(rejected.status()).isEqualTo(429);
    assertThat(field(rejected, "Retry-After")).isNull();
    assertThat(field(rejected, "RateLimit")).isEqualTo("\"big\";r=5");
  }

  @Test
  void a_denial_of_several_permits_says_what_a_cheaper_request_could_have() {
    Verdict verdict = verdict("api", "20 per minute", 3, after(6_000), 51_000);
    assertThat(field(denied(ResponseStyle.DEFAULT, verdict), "RateLimit"))
        .isEqualTo("\"api\";r=3;t=6");
  }

  @Test
  void the_body_is_a_problem_of_configured_names_and_numbers() {
    Verdict odd = verdict("a </b> & 'c' ~", "5/s", 0, after(1_000), 0);
    Body.Text body = (Body.Text) denied(ResponseStyle.DEFAULT, FITS, DENIES, odd).body();
    assertThat(body.contentType()).isEqualTo("application/problem+json");
    assertThat(body.text())
        .isEqualTo(
            "{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                + "\"title\":\"Too Many Requests\",\"status\":429,"
                + "\"detail\":\"Try again in 12 seconds.\","
                + "\"violated-policies\":[\"login\",\"a </b> & 'c' ~\"]}");
  }

  @Test
  void the_type_may_be_configured_and_is_escaped() {
    ResponseStyle style =
        ResponseStyle.DEFAULT.withTypes(
            URI.create("/problems/quota?a='b'"), URI.create("about:blank"));
    Body.Text body = (Body.Text) denied(style, DENIES).body();
    assertThat(body.text()).contains("\"type\":\"/problems/quota?a='b'\"");
  }

  @Test
  void names_are_escaped_though_counters_refuse_what_needs_it() {
    ProblemBody problem =
        new ProblemBody(URI.create("about:blank"), "t", 429, "a\"b\\c\nd\u0001", Set.of("\"\\"));
    String text = problem.body().text();
    assertThat(text).contains("a\\\"b\\\\c\\u000ad\\u0001").contains("[\"\\\"\\\\\"]");
    // JSON is YAML 1.2: a parser that is not ours reads it back
    assertThat(new Load(LoadSettings.builder().build()).loadFromString(text).toString())
        .contains("a\"b\\c\nd\u0001");
  }

  @Test
  void the_body_may_be_left_to_the_container() {
    ResponseStyle style = ResponseStyle.DEFAULT.withDenied(DenialResponse.ERROR_PAGE);
    assertThat(denied(style, DENIES).body()).isInstanceOf(Body.ErrorPage.class);
    assertThat(closed(style).body()).isInstanceOf(Body.ErrorPage.class);
  }

  @Test
  void where_the_container_has_no_page_for_the_method_a_body_names_no_limit() {
    Body body = denied(ResponseStyle.DEFAULT.withDenied(DenialResponse.ERROR_PAGE), DENIES).body();
    for (String method : List.of("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH")) {
      assertThat(body.text("Apache Tomcat/10.1.49", method)).isEmpty();
      assertThat(body.text("", method)).isEmpty();
    }
    assertThat(body.text("jetty/12.1.12", "POST")).isEmpty();
    assertThat(body.text("jetty/12.1.12", "PUT").orElseThrow().text())
        .contains("\"status\":429")
        .doesNotContain("login");
  }

  @ParameterizedTest
  @EnumSource(
      value = Fields.class,
      names = {"DRAFT_6", "DRAFT_7", "DRAFT_11"})
  void the_policies_are_bounded_in_bytes_and_the_binding_one_comes_first(Fields draft) {
    ResponseStyle style = ResponseStyle.DEFAULT.withFields(draft);
    List<Verdict> many = new ArrayList<>();
    for (int i = 1; i <= 600; i++) {
      many.add(verdict("rule-" + i, i + " per minute window", i == 600 ? 0 : 1, after(1), 1));
    }
    Verdict binding = verdict("last", "7777 per minute window", 0, after(12_000), 55_000);
    many.add(binding);
    for (int twice = 0; twice < 2; twice++) {
      Rejected rejected = denied(style, many.toArray(Verdict[]::new));
      String policy = Objects.requireNonNull(field(rejected, "RateLimit-Policy"));
      assertThat(policy).hasSizeBetween(900, 1_024);
      assertThat(policy)
          .startsWith(
              draft == Fields.DRAFT_11
                  ? "\"last\";q=7777;w=60, \"rule-1\";q=1"
                  : "7777;w=60, 1;w=60");
      assertThat(policy).doesNotEndWith(",").doesNotEndWith(" ");
      assertThat(policy.split("7777", -1)).hasSize(2);
    }
  }

  @Test
  void policies_that_fit_stay_in_the_order_of_the_rules() {
    Rejected rejected = denied(ResponseStyle.DEFAULT, FITS, DENIES);
    assertThat(field(rejected, "RateLimit-Policy"))
        .isEqualTo("\"flood\";q=100;w=1, \"login\";q=5;w=60");
  }

  @Test
  void legacy_fields_stand_beside_those_of_the_draft_and_count_seconds_from_now() {
    ResponseStyle style = ResponseStyle.DEFAULT.withLegacy(Legacy.X_RATELIMIT);
    Rejected rejected = denied(style, FITS, DENIES);
    assertThat(field(rejected, "X-RateLimit-Limit")).isEqualTo("5");
    assertThat(field(rejected, "X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(field(rejected, "X-RateLimit-Reset")).isEqualTo("12");
    assertThat(field(rejected, "RateLimit")).isNotNull();
    assertThat(field(new ResponseFields(style).passed(List.of(FITS)), "X-RateLimit-Reset"))
        .isEqualTo("2");
    assertThat(field(denied(style, NEVER), "X-RateLimit-Reset")).isNull();
  }

  @Test
  void the_legacy_reset_may_be_the_time_of_day_at_which_the_wait_is_over() {
    ResponseStyle style = ResponseStyle.DEFAULT.withLegacy(Legacy.X_RATELIMIT_EPOCH);
    Clock clock = Clock.fixed(Instant.ofEpochMilli(1_800_000_000_001L), ZoneOffset.UTC);
    ResponseFields byTheClock = new ResponseFields(style, clock);
    assertThat(field(byTheClock.passed(List.of(FITS)), "X-RateLimit-Reset"))
        .as("no earlier than 1.5 s from now")
        .isEqualTo("1800000003");
    assertThat(field(denied(byTheClock, DENIES), "X-RateLimit-Reset")).isEqualTo("1800000013");
    assertThat(field(denied(byTheClock, DENIES), "Retry-After")).isEqualTo("12");
    assertThat(field(denied(byTheClock, NEVER), "X-RateLimit-Reset")).isNull();
  }

  @Test
  void draft_7_tells_numbers_in_the_same_two_fields() {
    ResponseStyle style = ResponseStyle.DEFAULT.withFields(Fields.DRAFT_7);
    assertThat(denied(style, FITS, DENIES).fields())
        .containsExactly(
            new Field("Retry-After", "12"),
            new Field("Cache-Control", "no-store"),
            new Field("RateLimit-Policy", "100;w=1, 5;w=60"),
            new Field("RateLimit", "limit=5, remaining=0, reset=12"));
  }

  @Test
  void draft_6_has_a_field_for_each_number() {
    ResponseStyle style = ResponseStyle.DEFAULT.withFields(Fields.DRAFT_6);
    assertThat(new ResponseFields(style).passed(List.of(FITS)).fields())
        .containsExactly(
            new Field("RateLimit-Policy", "100;w=1"),
            new Field("RateLimit-Limit", "100"),
            new Field("RateLimit-Remaining", "9"),
            new Field("RateLimit-Reset", "2"));
  }

  @Test
  void drafts_that_require_a_time_have_one_even_where_no_waiting_helps() {
    Verdict never = verdict("big", "5 per minute", 5, Retry.NEVER, 7_001);
    Rejected draft7 = denied(ResponseStyle.DEFAULT.withFields(Fields.DRAFT_7), never);
    Rejected draft6 = denied(ResponseStyle.DEFAULT.withFields(Fields.DRAFT_6), never);
    assertThat(field(draft7, "Retry-After")).isNull();
    assertThat(field(draft7, "RateLimit")).isEqualTo("limit=5, remaining=5, reset=8");
    assertThat(field(draft6, "RateLimit-Reset")).isEqualTo("8");
  }

  @ParameterizedTest
  @EnumSource(
      value = Fields.class,
      names = {"DRAFT_6", "DRAFT_7"})
  void drafts_whose_policies_have_a_window_list_no_concurrency_limit(Fields draft) {
    Verdict busy = verdict("busy", "3 concurrent, ttl 5s", 0, after(1_000), 5_000);
    ResponseStyle style = ResponseStyle.DEFAULT.withFields(draft);
    assertThat(field(denied(style, busy), "RateLimit-Policy")).isNull();
    assertThat(field(denied(style, busy, FITS), "RateLimit-Policy")).isEqualTo("100;w=1");
  }

  @Test
  void a_client_may_be_told_nothing_but_when_to_come_back() {
    ResponseStyle style = ResponseStyle.DEFAULT.withFields(Fields.OFF);
    assertThat(new ResponseFields(style).passed(List.of(FITS)).fields()).isEmpty();
    assertThat(denied(style, DENIES).fields())
        .containsExactly(new Field("Retry-After", "12"), new Field("Cache-Control", "no-store"));
  }

  @Test
  void scripts_of_other_origins_may_read_what_was_sent() {
    assertThat(denied(ResponseStyle.DEFAULT, DENIES).exposure())
        .contains(
            new Field("Access-Control-Expose-Headers", "Retry-After, RateLimit-Policy, RateLimit"));
    assertThat(fields.passed(List.of(FITS)).exposure())
        .contains(new Field("Access-Control-Expose-Headers", "RateLimit-Policy, RateLimit"));
    assertThat(Outcome.Passed.SILENTLY.exposure()).isEmpty();
    assertThat(closed(ResponseStyle.DEFAULT).exposure())
        .contains(new Field("Access-Control-Expose-Headers", "Retry-After"));
  }

  private Rejected closed(ResponseStyle style) {
    Decision closed = Decision.failClosed(Duration.ofSeconds(2));
    return rejected(new ResponseFields(style).rejected(closed, List.of()));
  }

  private static Rejected denied(ResponseStyle style, Verdict... verdicts) {
    return denied(new ResponseFields(style), verdicts);
  }

  private static Rejected denied(ResponseFields fields, Verdict... verdicts) {
    List<Verdict> all = List.of(verdicts);
    Decision decision = Decision.counted(Source.REDIS, all, Receipt.nothing(Source.REDIS));
    return rejected(fields.rejected(decision, all));
  }

  private static Retry after(long millis) {
    return new Retry.After(Duration.ofMillis(millis));
  }

  private static Verdict verdict(
      String name, String limit, long remaining, Retry retry, long resetMillis) {
    Counter counter = new Counter(name, Limit.parse(limit), Subject.of("secret"));
    return new Verdict(counter, remaining, retry, Duration.ofMillis(resetMillis));
  }
}
