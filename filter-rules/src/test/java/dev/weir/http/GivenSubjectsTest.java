package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.http.internal.report.RequestTally;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.Subject;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The subject of values that an operator gives is that of the requests with them. */
class GivenSubjectsTest {

  private static final ClientAddress PEER = ClientAddress.ofPeer();

  @Test
  void given_values_are_the_subject_of_a_request_that_has_them() {
    SubjectResolver resolver = SubjectResolver.of("ip", "header:X-API-Key", "host", "method");
    assertThat(resolver.kinds()).containsExactly("ip", "header:x-api-key", "host", "method");
    String key = "k".repeat(300);
    FakeRequest request =
        FakeRequest.of("HEAD", "/")
            .from("2001:db8:1:2:3::4")
            .header("X-API-Key", key)
            .host("Shop.Example");
    assertThat(subjects(resolver, "[2001:db8:1:2::9]:4711", key, "SHOP.example.", "HEAD"))
        .isEqualTo(counted(resolver, request));
  }

  @Test
  void a_name_of_Basic_authentication_has_the_address_before_it() {
    SubjectResolver resolver = SubjectResolver.of("basic-user");
    assertThat(resolver.kinds()).containsExactly("ip", "basic-user");
    FakeRequest request = FakeRequest.get("/").header("Authorization", "Basic YW5uOnB3"); // ann:pw
    assertThat(subjects(resolver, "192.0.2.1", "ann")).isEqualTo(counted(resolver, request));
  }

  @Test
  void an_address_may_be_a_value_or_stand_for_a_missing_one() {
    assertThat(subjects(SubjectResolver.of("principal"), "192.0.2.7"))
        .containsExactlyInAnyOrder(
            Subject.of("principal", "192.0.2.7"), Subject.of("ip:principal", "192.0.2.7"));
  }

  @Test
  void all_clients_together_need_no_value() {
    assertThat(subjects(SubjectResolver.of("global"))).containsExactly(Subject.global());
  }

  @Test
  void a_value_that_is_refused_is_not_shown() {
    SubjectResolver ip = SubjectResolver.of("ip");
    assertThatThrownBy(() -> subjects(ip, "s3cret"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("subject: something else (expected: an address for ip)");
    assertThatThrownBy(() -> subjects(ip, "s3cret", "b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("subject: 2 values (expected: one for each of ip)");
  }

  @Test
  void a_rule_says_where_requests_carry_what_may_be_a_secret() {
    Rule rule =
        Rule.builder("r")
            .match("/**")
            .subject(
                SubjectResolver.firstOf(
                        List.of("header:X-API-Key", "query:key"), SubjectResolver.Missing.IP)
                    .and(SubjectResolver.of("basic-user", "cookie:sid", "path")))
            .limit("1 per second")
            .clients(
                ClientPolicy.SAME_FOR_ALL.withDenied(Clients.knowing("header:X-Key", Set.of())))
            .build();
    assertThat(rule.keyPlaces())
        .containsExactly(
            "cookie:sid", "header:authorization", "header:x-api-key", "header:x-key", "query:key");
    assertThat(Rules.matching("/**").keyPlaces()).isEmpty();
  }

  @Test
  void how_an_address_is_found_is_described() {
    FakeRequest request =
        FakeRequest.get("/").from("10.0.0.1").header("X-Forwarded-For", "192.0.2.7");
    assertThat(PEER.describe(request)).isEqualTo("10.0.0.1 (the peer; no header is read)");
    ClientAddress behind = ClientAddress.behind(List.of("10.0.0.0/8"), "X-Forwarded-For");
    assertThat(behind.describe(request))
        .isEqualTo("192.0.2.7 (from X-Forwarded-For of a trusted proxy)");
    assertThat(behind.describe(FakeRequest.get("/").from("10.0.0.1")))
        .isEqualTo("10.0.0.1 (a trusted proxy, which has sent no X-Forwarded-For)");
    assertThat(behind.describe(FakeRequest.get("/").from("192.0.2.9")))
        .isEqualTo("192.0.2.9 (the peer, which is no trusted proxy)");
  }

  private static List<Subject> subjects(SubjectResolver resolver, String... values) {
    return resolver.subjects(List.of(values), PEER);
  }

  private static List<Subject> counted(SubjectResolver resolver, FakeRequest request) {
    return resolver.resolve(
        Rules.context(request, PEER),
        new RuleEvents(RuleListener.NONE, new RequestTally(Ticker.system())));
  }
}
