package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.internal.response.ResponseFields;
import dev.weir.http.spi.Outcome.Body;
import dev.weir.http.spi.Outcome.Body.Text;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.store.Decision;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a denied request receives. */
class DenialResponseTest extends LimiterUnderTest {

  private static final NamedLimit ONE = Rules.limit("a&b", "1 per minute");
  private static final DenialResponse OWN =
      DenialResponse.PROBLEM
          .withHtml("<p title='{rule}'>{seconds} s: {limit}</p><style>p{color:red}</style>{}")
          .withJson("{\"wait\":\"{seconds}\",\"why\":[\"{rule}\",\"by {limit}\"],\"{rule}\":1}");

  @Test
  void a_browser_receives_the_page_and_a_program_the_object() {
    RuleLimiter limiter = denyingAll(OWN);
    Rejected page = rejected(limiter.limit(browser()));
    assertThat(page.status()).isEqualTo(429);
    assertThat(page.body())
        .isEqualTo(
            new Text(
                "text/html;charset=UTF-8",
                "<p title='&lt;&#39;r&quot;&gt;'>60 s: a&amp;b</p><style>p{color:red}</style>{}"));
    assertThat(page.added()).containsExactly(new Field("Vary", "Accept"));
    Rejected object = rejected(limiter.limit(program()));
    assertThat(object.body())
        .isEqualTo(
            new Text(
                "application/json",
                "{\"wait\":60,\"why\":[\"<'r\\\">\",\"by a&b\"],\"<'r\\\">\":1}"));
    assertThat(object.added()).containsExactly(new Field("Vary", "Accept"));
    assertThat(object.fields()).isEqualTo(page.fields());
  }

  @Test
  void with_one_of_the_two_all_clients_receive_it_and_nothing_varies() {
    Rejected object = rejected(denyingAll(DenialResponse.PROBLEM).limit(browser()));
    assertThat(((Text) object.body()).contentType()).isEqualTo("application/problem+json");
    assertThat(object.added()).isEmpty();
    time.advance(Duration.ofMinutes(1));
    Rejected page = rejected(denyingAll(DenialResponse.ERROR_PAGE).limit(program()));
    assertThat(page.body()).isInstanceOf(Body.ErrorPage.class);
    assertThat(page.added()).isEmpty();
  }

  @Test
  void a_forward_knows_what_to_write_where_nothing_can_be_forwarded() {
    RuleLimiter limiter = denyingAll(DenialResponse.PROBLEM.withForward("/too-many"));
    Body.Forward forward = (Body.Forward) rejected(limiter.limit(browser())).body();
    assertThat(forward.path()).isEqualTo("/too-many");
    assertThat(forward.instead().text()).contains("\"status\":429");
    assertThat(rejected(limiter.limit(program())).body()).isInstanceOf(Text.class);
  }

  @Test
  void headers_follow_ours_and_one_without_a_value_is_left_out() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("X-By", "{rule}/{limit}");
    headers.put("vary", "Origin");
    headers.put("X-Wait", "{seconds}s");
    DenialResponse response = DenialResponse.PROBLEM.withStatus(503).withHeaders(headers);
    Rejected denied = rejected(denyingAll(response).limit(program()));
    assertThat(denied.status()).isEqualTo(503);
    assertThat(((Text) denied.body()).text()).contains("\"status\":503");
    assertThat(denied.fields())
        .endsWith(new Field("X-By", "<'r\">/a&b"), new Field("X-Wait", "60s"))
        .contains(new Field("Retry-After", "60"), new Field("Cache-Control", "no-store"));
    assertThat(denied.added()).containsExactly(new Field("vary", "Origin"));
  }

  @Test
  void what_has_no_value_is_empty_or_null_and_its_header_is_left_out() {
    DenialResponse response =
        OWN.withHeaders(Map.of("X-Limit", "{limit}", "X-Rule", "{rule}"))
            .withJson("{\"limit\":\"{limit}\",\"text\":\"by {limit}\",\"wait\":\"{seconds}\"}");
    Rule odd =
        Rule.builder("r\r\nX-Evil: é")
            .limit(ONE)
            .onDenial(OnDenial.REJECT.respondingWith(response))
            .build();
    Decision undecided = Decision.failClosed(Duration.ofSeconds(2));
    Rejected denied =
        rejected(
            new ResponseFields(ResponseStyle.DEFAULT)
                .rejected(undecided, List.of(), odd, program()));
    assertThat(denied.status()).isEqualTo(503);
    assertThat(field(denied, "X-Limit")).isNull();
    assertThat(field(denied, "X-Rule")).isEqualTo("r??X-Evil: ?");
    assertThat(((Text) denied.body()).text())
        .isEqualTo("{\"limit\":null,\"text\":\"by \",\"wait\":2}");
  }

  @Test
  void what_is_shed_costs_the_application_no_page() {
    ResponseFields fields =
        new ResponseFields(
            ResponseStyle.DEFAULT.withDenied(OWN.withStatus(429).withForward("/too-many")));
    FakeRequest shed = browser();
    Rejected busy = rejected(fields.shed(shed));
    assertThat(busy.status()).isEqualTo(503);
    assertThat(((Text) busy.body()).text()).startsWith("{\"wait\":").contains("\"why\":[null,");
    assertThat(busy.added()).isEmpty();
    assertThat(shed.attribute(RequestLimiter.DENIED_RULE)).isNull();
    ResponseFields withPage = new ResponseFields(ResponseStyle.DEFAULT.withDenied(OWN));
    assertThat(((Text) rejected(withPage.shed(browser())).body()).text())
        .startsWith("<p title=''>");
  }

  @Test
  void the_request_carries_what_was_denied() {
    FakeRequest denied = browser();
    denyingAll(OWN).limit(denied);
    assertThat(denied.attribute(RequestLimiter.DENIED_RULE)).isEqualTo("<'r\">");
    assertThat(denied.attribute(RequestLimiter.DENIED_LIMIT)).isEqualTo("a&b");
    assertThat(denied.attribute(RequestLimiter.DENIED_SECONDS)).isEqualTo(60L);
    time.advance(Duration.ofMinutes(1));
    FakeRequest passed = browser();
    limiter(rule(OWN)).limit(passed);
    assertThat(passed.attribute(RequestLimiter.DENIED_RULE)).isNull();
  }

  @Test
  void the_page_of_a_denial_is_decided_by_no_rule_and_changes_no_field() {
    RuleLimiter limiter = denyingAll(OWN);
    FakeRequest denied = browser();
    assertThat(limiter.limit(denied)).isInstanceOf(Rejected.class);
    assertThat(limiter.limit(denied)).isEqualTo(Passed.SILENTLY);
    assertThat(limiter.limit(denied.rewrittenTo("/other"))).isEqualTo(Passed.SILENTLY);
  }

  @Test
  void a_rule_answers_in_its_own_way_and_all_others_in_that_of_the_style() {
    RuleLimiter.Settings settings =
        RuleLimiter.Settings.DEFAULT.withStyle(
            ResponseStyle.DEFAULT.withDenied(DenialResponse.PROBLEM.withJson("{\"all\":true}")));
    Rule own =
        Rule.builder("own")
            .match("/own")
            .limit("1 per hour")
            .onDenial(OnDenial.REJECT.respondingWith(DenialResponse.PROBLEM.withJson("{}")))
            .build();
    Rule usual = Rule.builder("usual").match("/usual").limit("1 per hour").build();
    RuleLimiter limiter = limiter(settings, own, usual);
    exhaust(limiter, FakeRequest.get("/own"), 1);
    exhaust(limiter, FakeRequest.get("/usual"), 1);
    assertThat(text(limiter, "/own")).isEqualTo("{}");
    assertThat(text(limiter, "/usual")).isEqualTo("{\"all\":true}");
  }

  private static String text(RuleLimiter limiter, String path) {
    return ((Text) rejected(limiter.limit(FakeRequest.get(path))).body()).text();
  }

  @Test
  void a_client_that_a_list_refuses_receives_no_page_about_limits() {
    Rule banned =
        Rule.builder("banned")
            .match("/**")
            .limit("9 per hour")
            .clients(
                ClientPolicy.SAME_FOR_ALL.withDenied(
                    ClientPolicy.Clients.in(List.of("192.0.2.0/24"))))
            .onDenial(OnDenial.REJECT.respondingWith(OWN.withStatus(503)))
            .build();
    Rejected refused = rejected(limiter(banned).limit(browser()));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(((Text) refused.body()).contentType()).isEqualTo("application/problem+json");
    assertThat(field(refused, "Retry-After")).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 302, 403, 428, 430, 500, 0, -1})
  void a_denial_has_one_of_two_statuses(int status) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DenialResponse.PROBLEM.withStatus(status))
        .withMessage("status: " + status + " (expected: 429 or 503)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          X Docs            | a  | 'X Docs'            | the name of a field, such as X-Denied-By
          X-Döcs            | a  | 'X-Döcs'            | the name of a field, such as X-Denied-By
          retry-AFTER       | 1  | 'retry-AFTER'       | no Retry-After: each denial has the right one already
          RateLimit         | a  | 'RateLimit'         | no field of limits: 'fields' and 'legacy-headers' choose those
          X-RateLimit-Limit | 5  | 'X-RateLimit-Limit' | no field of limits: 'fields' and 'legacy-headers' choose those
          Content-Length    | 5  | 'Content-Length'    | no Content-Length: the body determines it
          Content-Type      | a  | 'Content-Type'      | no Content-Type: the body determines it
          Transfer-Encoding | a  | 'Transfer-Encoding' | no Transfer-Encoding: the server determines it
          Connection        | a  | 'Connection'        | no Connection: the server determines it
          Set-Cookie        | a  | 'Set-Cookie'        | no cookie: it would replace those of the application
          Cache-Control     | a  | 'Cache-Control'     | no Cache-Control: denials are never stored
          X-A               | é  | 'é'                 | a value of printable ASCII on one line
          X-A               | {wait} | '{wait}'        | {seconds}, {limit} or {rule}; other braces have a blank in them, as in { x }
          X-A               | {second} | '{second}'    | {seconds}, {limit} or {rule}; other braces have a blank in them, as in { x }; did you mean '{seconds}'?
          """)
  void a_header_that_may_not_be_set_is_refused(
      String name, String value, String found, String expected) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DenialResponse.PROBLEM.withHeaders(Map.of(name, value)))
        .withMessage("headers: " + found + " (expected: " + expected + ")");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nX-Evil: 1", "a\nb", "a\rb", "a\0b", "\u2028", " a", "a ", "", "\t"})
  void a_value_is_on_one_line(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DenialResponse.PROBLEM.withHeaders(Map.of("X-A", value)))
        .withMessageEndingWith("(expected: a value of printable ASCII on one line)");
  }

  @Test
  void headers_are_bounded_and_each_is_set_once() {
    Map<String, String> twice = new LinkedHashMap<>(Map.of("X-A", "1"));
    twice.put("x-a", "2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DenialResponse.PROBLEM.withHeaders(twice))
        .withMessage("headers: 'x-a' (expected: each field once)");
    Map<String, String> many =
        IntStream.range(0, 17).boxed().collect(Collectors.toMap(i -> "X-" + i, i -> "1"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DenialResponse.PROBLEM.withHeaders(many))
        .withMessage("headers: 17 headers (expected: at most 16)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DenialResponse.PROBLEM.withHeaders(Map.of("A", "{rule}".repeat(32))))
        .withMessage(
            "headers: 4097 characters (expected: at most 4096, where {limit} and {rule} count 128"
                + " each)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"too-many", "", "/too many", "/too\nmany"})
  void a_forward_is_a_path_of_the_application(String path) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DenialResponse.PROBLEM.withForward(path))
        .withMessageEndingWith(
            "(expected: a path within the application that starts with /, without blanks)");
  }

  @Test
  void texts_are_bounded_and_placeholders_known() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OWN.withHtml("x".repeat(DenialResponse.MOST_HTML + 1)))
        .withMessage("html: 262145 characters (expected: at most 262144)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OWN.withHtml("<script>function f(){return}</script>"))
        .withMessageStartingWith("html: '{return}' (expected: {seconds}, {limit} or {rule}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OWN.withJson("{\"a\":\"{client}\"}"))
        .withMessageStartingWith("json: '{client}' (expected: {seconds}");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OWN.withJson("[1]"))
        .withMessage("json: [1] (expected: a JSON object, in { and })");
    assertThat(OWN.withHtml("${name} { rule } {1} {}").page()).isPresent();
  }

  private RuleLimiter denyingAll(DenialResponse response) {
    RuleLimiter limiter = limiter(rule(response));
    exhaust(limiter, program(), 1);
    return limiter;
  }

  /** A rule whose name has to be escaped everywhere. */
  private static Rule rule(DenialResponse response) {
    return Rule.builder("<'r\">")
        .match("/**")
        .limit(ONE)
        .onDenial(OnDenial.REJECT.respondingWith(response))
        .build();
  }

  private static FakeRequest browser() {
    return FakeRequest.get("/x").header("Accept", "text/html,application/xml;q=0.9,*/*;q=0.8");
  }

  private static FakeRequest program() {
    return FakeRequest.get("/x").header("Accept", "application/json");
  }
}
