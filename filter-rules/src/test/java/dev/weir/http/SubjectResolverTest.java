package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.SubjectResolver.Missing;
import dev.weir.http.internal.decide.RuleEvents;
import dev.weir.http.internal.match.MatchedRule;
import dev.weir.http.internal.match.PatternParser;
import dev.weir.http.internal.match.RequestPattern;
import dev.weir.http.internal.report.RequestTally;
import dev.weir.store.LimitStore.Ticker;
import dev.weir.store.Subject;
import java.security.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which subject a request is counted against. */
class SubjectResolverTest {

  private static final RequestPattern PATTERN = PatternParser.parse("match", "POST /users/{id}");

  private final List<String> errors = new ArrayList<>();
  private final RuleEvents reports =
      new RuleEvents(
          new RuleListener() {
            @Override
            public void onError(String what, Throwable error) {
              errors.add(what);
            }
          },
          new RequestTally(Ticker.system()));

  @Test
  void each_kind_of_part_reads_its_own() {
    FakeRequest request =
        FakeRequest.post("/users/7")
            .header("X-API-Key", "K")
            .query("tenant", "T")
            .cookie("sid", "S")
            .principal("ada");
    assertThat(parts("ip", request)).containsExactly(part("ip", "192.0.2.1"));
    assertThat(parts("header:X-API-Key", request)).containsExactly(part("header:x-api-key", "K"));
    assertThat(parts("query:tenant", request)).containsExactly(part("query:tenant", "T"));
    assertThat(parts("cookie:sid", request)).containsExactly(part("cookie:sid", "S"));
    assertThat(parts("principal", request)).containsExactly(part("principal", "ada"));
    assertThat(parts("method", request)).containsExactly(part("method", "POST"));
    assertThat(parts("path", request)).containsExactly(part("path", "/users/{id}"));
  }

  @Test
  void a_variable_of_the_path_is_decoded_once_and_without_parameters() {
    assertThat(parts("path:id", FakeRequest.post("/users/7")))
        .containsExactly(part("path:id", "7"));
    assertThat(parts("path:id", FakeRequest.post("/users/7/")))
        .containsExactly(part("path:id", "7"));
    assertThat(parts("path:id", FakeRequest.post("/users/7;v=1")))
        .containsExactly(part("path:id", "7"));
    assertThat(parts("path:id", FakeRequest.post("/users;x/7;v=1")))
        .containsExactly(part("path:id", "7"));
    assertThat(parts("path:id", FakeRequest.post("/users/ä b")))
        .containsExactly(part("path:id", "ä b"));
    assertThat(parts("path:id", FakeRequest.post("/static/..;/users/7")))
        .containsExactly(part("path:id", "7"));
    assertThat(parts("path:id", FakeRequest.post("/users/;v=1")))
        .containsExactly(part("ip:path:id", "192.0.2.1"));
    assertThat(errors).isEmpty();
  }

  @Test
  void a_variable_may_stand_before_or_after_any_depth() {
    assertThat(variable("/shops/{id}/**", "/shops/7/a/b")).isEqualTo("7");
    assertThat(variable("/shops/{id}/**/find", "/shops/7/a/b/find")).isEqualTo("7");
    assertThat(variable("/shops/**/orders/{id}", "/shops/a/b/orders/7")).isEqualTo("7");
    assertThat(variable("/shops/**/orders/{id}", "/shops/orders/7/")).isEqualTo("7");
    assertThat(variable("/**/{id}/edit", "/a/7/edit")).isEqualTo("7");
  }

  private String variable(String pattern, String path) {
    RequestContext context = Rules.context(FakeRequest.get(path), ClientAddress.ofPeer());
    return context
        .through(matched(PatternParser.parse("match", pattern)))
        .pathVariable("id")
        .get(0);
  }

  /** A rule with these patterns, of which the first has matched. */
  private static MatchedRule matched(RequestPattern... patterns) {
    return new MatchedRule(Rules.matching("/**"), Optional.of(patterns[0]), List.of(patterns));
  }

  /** Or a client could choose whether it is counted by the variable. */
  @Test
  void requests_whose_path_could_be_any_have_one_value_together() {
    List<Subject> any = subjects("path:id", FakeRequest.suspicious("POST"));
    assertThat(any).hasSize(1);
    assertThat(any.get(0).parts()).extracting(Subject.Part::kind).containsExactly("path:id");
    assertThat(subjects("path:id", FakeRequest.post("/users/" + "./".repeat(300) + "7")))
        .isEqualTo(any);
    assertThat(subjects("path:id", FakeRequest.post("/other/7").from("192.0.2.9"))).isEqualTo(any);
    assertThat(errors).isEmpty();
  }

  @Test
  void a_variable_is_found_in_the_letters_that_the_index_takes_for_one() {
    assertThat(variable("/items/{id}", "/\u0130tems/5")).isEqualTo("5");
  }

  @Test
  void a_variable_has_the_values_of_all_patterns_that_a_reading_matches() {
    FakeRequest request = FakeRequest.get("/orders/9/../../v2/orders/7/verify");
    RequestContext context = Rules.context(request, ClientAddress.ofPeer());
    assertThat(
            context
                .through(
                    matched(
                        PatternParser.parse("match", "/orders/{id}/**"),
                        PatternParser.parse("match", "/v2/orders/{id}/**")))
                .pathVariable("id"))
        .containsExactlyInAnyOrder("9", "7");
  }

  @Test
  void each_reading_of_a_variable_is_charged() {
    assertThat(subjects("path:id", FakeRequest.post("/users/a%62")))
        .containsExactlyInAnyOrder(Subject.of("path:id", "a%62"), Subject.of("path:id", "ab"));
    assertThat(subjects("path:id", FakeRequest.post("/users/9/../7")))
        .containsExactly(Subject.of("path:id", "7"));
  }

  @Test
  void what_the_application_has_set_counts_where_it_tells_clients_apart() {
    FakeRequest request = FakeRequest.get("/").session("user", "ada").session("account", 7L);
    request.attribute("tenant", (Principal) () -> "acme");
    request.attribute("flag", true);
    assertThat(parts("session:user", request)).containsExactly(part("session:user", "ada"));
    assertThat(parts("session:account", request)).containsExactly(part("session:account", "7"));
    assertThat(parts("attribute:tenant", request))
        .containsExactly(part("attribute:tenant", "acme"));
    assertThat(parts("attribute:flag", request))
        .containsExactly(part("ip:attribute:flag", "192.0.2.1"));
    assertThat(parts("session:none", request))
        .containsExactly(part("ip:session:none", "192.0.2.1"));
  }

  @Test
  void a_name_of_Basic_authentication_is_a_digest_and_counts_with_the_address() {
    String digest = parts("basic-user:any-ip", basic("Basic YWRhOnBhc3M=")).get(0).value();
    assertThat(digest).hasSize(43).doesNotContain("ada");
    assertThat(parts("basic-user", basic("Basic YWRhOnBhc3M=")))
        .containsExactly(part("ip", "192.0.2.1"), part("basic-user", digest));
    assertThat(subject(SubjectResolver.of("basic-user", "ip"), basic("Basic YWRhOnBhc3M=")).parts())
        .containsExactly(part("basic-user", digest), part("ip", "192.0.2.1"));
  }

  /** As any container reads it: Undertow, Tomcat and Spring Security differ. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Basic YWRhOm90aGVy",
        "basic  YWRhOnBhc3M=",
        "BASIC YWRhOnBhc3M",
        "Basic YWRhOnBhc3M= ",
        "Basic YW RhOnBhc3M=",
        "Basic IGFkYSA6cGFzcw==",
        "Basic YWRh",
        "Basic\tYWRhOnBhc3M=",
        "Basic:YWRhOnBhc3M=",
        "Basic YWRhOnBhc3M=AAAA",
        "Basic YWRhOnBhc3M==",
        "Basic YWRhOnBhc3MA",
        "Basic YWRhOnBhc3MAA"
      })
  void one_user_has_one_name_however_it_is_sent(String credentials) {
    assertThat(parts("basic-user:any-ip", basic(credentials)))
        .isEqualTo(parts("basic-user:any-ip", basic("Basic YWRhOnBhc3M=")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Basic", "Basic ", "Basic Y", "Basic OnBhc3M=", "Basic ===", "Basic ü"})
  void credentials_without_a_name_have_one_name_together(String credentials) {
    assertThat(parts("basic-user:any-ip", basic(credentials)))
        .isEqualTo(parts("basic-user:any-ip", basic("Basic !")));
  }

  @Test
  void each_line_of_credentials_is_charged() {
    FakeRequest request =
        FakeRequest.get("/")
            .header("Authorization", "Bearer x", "Basic YWRhOjE=", "Basic Ym9iOjE=");
    assertThat(subjects("basic-user:any-ip", request)).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Bearer YWRhOnBhc3M=", "Digest username=ada"})
  void without_a_name_a_request_counts_by_its_address(String credentials) {
    assertThat(parts("basic-user:any-ip", basic(credentials)))
        .containsExactly(part("ip:basic-user:any-ip", "192.0.2.1"));
    assertThat(errors).isEmpty();
  }

  @Test
  void a_key_in_one_of_several_places_counts_by_its_value() {
    SubjectResolver key =
        SubjectResolver.firstOf(List.of("header:X-API-Key", "query:api_key"), Missing.IP);
    List<Subject> byHeader = subjects(key, FakeRequest.get("/").header("X-API-Key", "K"));
    assertThat(byHeader).hasSize(1);
    assertThat(subjects(key, FakeRequest.get("/").query("api_key", "K"))).isEqualTo(byHeader);
    assertThat(subjects(key, FakeRequest.get("/").header("X-API-Key", "K").query("api_key", "K")))
        .isEqualTo(byHeader);
    assertThat(subjects(key, FakeRequest.get("/").header("X-API-Key", "").query("api_key", "K")))
        .isEqualTo(byHeader);
    assertThat(subjects(key, FakeRequest.get("/").header("X-API-Key", "A").query("api_key", "B")))
        .hasSize(2);
    assertThat(subject(key, FakeRequest.get("/")).parts())
        .extracting(Subject.Part::value)
        .containsExactly("192.0.2.1");
  }

  @Test
  void more_keys_than_a_browser_sends_are_refused() {
    SubjectResolver key = SubjectResolver.firstOf(List.of("cookie:x", "header:X"), Missing.IP);
    assertThat(subjects(key, cookies("a", "b", "c").header("X", "d"))).hasSize(4);
    assertThat(subjects(key, cookies("a", "b", "c", "d").header("X", "e"))).isEmpty();
    assertThat(subjects(key, cookies("a", "b", "c", "d").readingCookies().header("X", "e")))
        .hasSize(5);
  }

  private static FakeRequest basic(String credentials) {
    return FakeRequest.get("/").header("Authorization", credentials);
  }

  @Test
  void global_is_the_same_for_all_in_rules_and_in_code() {
    SubjectResolver global = SubjectResolver.of("global");
    assertThat(subject(global, FakeRequest.get("/a"))).isEqualTo(Subject.global());
    assertThat(subject(global, FakeRequest.post("/b").from("::1"))).isEqualTo(Subject.global());
  }

  @Test
  void parts_count_together_in_the_order_given() {
    FakeRequest request = FakeRequest.get("/").principal("ada");
    assertThat(subject(SubjectResolver.of("principal", "ip"), request).parts())
        .containsExactly(part("principal", "ada"), part("ip", "192.0.2.1"));
  }

  @Test
  void the_template_of_the_framework_goes_before_the_pattern() {
    assertThat(parts("path", FakeRequest.get("/users/7").template("/users/{user}")))
        .containsExactly(part("path", "/users/{user}"));
  }

  @Test
  void the_raw_path_is_never_a_subject() {
    // /u/1, /u/2 ... would mint a bucket each
    assertThat(parts("path", FakeRequest.get("/users/1")))
        .isEqualTo(parts("path", FakeRequest.get("/users/2")));
    RequestContext nowhere = Rules.context(FakeRequest.get("/users/1"), ClientAddress.ofPeer());
    assertThat(SubjectResolver.of("path").resolve(nowhere, reports))
        .containsExactly(Subject.of("ip:path", "192.0.2.1"));
  }

  @Test
  void head_counts_as_get_and_methods_that_clients_make_up_count_as_one() {
    assertThat(parts("method", FakeRequest.of("HEAD", "/"))).containsExactly(part("method", "GET"));
    assertThat(parts("method", FakeRequest.of("X1", "/")))
        .isEqualTo(parts("method", FakeRequest.of("get", "/")));
  }

  @Test
  void a_missing_or_empty_part_falls_back_to_the_address() {
    // CVE-2025-64526 Strapi: an optional field of the client must not decide whether it is counted
    for (String kind : List.of("header:X", "query:x", "cookie:x", "principal")) {
      assertThat(parts(kind, FakeRequest.get("/")))
          .containsExactly(part("ip:" + kind.toLowerCase(Locale.ROOT), "192.0.2.1"));
    }
    assertThat(parts("header:X", FakeRequest.get("/").header("X", "")))
        .containsExactly(part("ip:header:x", "192.0.2.1"));
    assertThat(parts("query:x", FakeRequest.get("/").query("x", "")))
        .containsExactly(part("ip:query:x", "192.0.2.1"));
  }

  @Test
  void an_address_instead_of_a_part_is_no_other_rules_counter() {
    List<List<Subject.Part>> subjects = new ArrayList<>();
    for (String kind : List.of("ip", "header:X", "header:Y", "query:header:x", "principal")) {
      subjects.add(parts(kind, FakeRequest.get("/")));
    }
    subjects.add(parts("header:X", FakeRequest.get("/").header("X", "192.0.2.1")));
    assertThat(subjects).doesNotHaveDuplicates();
  }

  @Test
  void or_to_one_bucket_for_all_who_lack_it() {
    SubjectResolver shared = SubjectResolver.parse(List.of("header:X"), Missing.SHARED);
    assertThat(subject(shared, FakeRequest.get("/")))
        .isEqualTo(subject(shared, FakeRequest.get("/").from("198.51.100.7")))
        .isNotEqualTo(subject(shared, FakeRequest.get("/").header("X", "a")));
  }

  @Test
  void further_lines_of_a_header_mint_no_buckets() {
    assertThat(parts("header:X", FakeRequest.get("/").header("X", "K", "junk1")))
        .isEqualTo(parts("header:X", FakeRequest.get("/").header("X", "K", "junk2")))
        .containsExactly(part("header:x", "K"));
  }

  @Test
  void each_different_cookie_of_the_name_is_a_subject_of_its_own() {
    // applications do not agree on which of two cookies they read
    assertThat(subjects("cookie:x", cookies("a", "b", "a")))
        .containsExactly(Subject.of("cookie:x", "a"), Subject.of("cookie:x", "b"));
    assertThat(subjects("cookie:x", cookies("a", "a")))
        .containsExactly(Subject.of("cookie:x", "a"));
  }

  @Test
  void an_empty_cookie_beside_another_counts_as_a_missing_one_too() {
    assertThat(subjects("cookie:x", cookies("", "a")))
        .containsExactly(Subject.of("ip:cookie:x", "192.0.2.1"), Subject.of("cookie:x", "a"));
  }

  @Test
  void each_different_cookie_counts_together_with_each_value_of_the_other_parts() {
    SubjectResolver resolver = SubjectResolver.of("cookie:x", "header:T", "cookie:y");
    FakeRequest request = cookies("a", "b").cookie("y", "c").cookie("y", "d").header("T", "t");
    assertThat(subjects(resolver, request))
        .extracting(subject -> subject.parts().stream().map(Subject.Part::value).toList())
        .containsExactlyInAnyOrder(
            List.of("a", "t", "c"),
            List.of("b", "t", "c"),
            List.of("a", "t", "d"),
            List.of("b", "t", "d"));
  }

  @Test
  void a_request_that_names_too_many_subjects_has_none() {
    assertThat(subjects("cookie:x", cookies("a", "b", "c", "d"))).hasSize(4);
    assertThat(subjects("cookie:x", cookies("a", "b", "c", "d", "e"))).isEmpty();
    SubjectResolver both = SubjectResolver.of("cookie:x", "cookie:y");
    FakeRequest six = cookies("a", "b", "c").cookie("y", "d").cookie("y", "e");
    assertThat(subjects(both, six)).isEmpty();
  }

  @Test
  void how_the_server_reads_one_of_the_cookies_counts_and_is_not_one_more() {
    FakeRequest four = cookies("read", "a", "b", "c", "d").readingCookies();
    assertThat(subjects("cookie:x", four)).hasSize(5);
    FakeRequest five = cookies("read", "a", "b", "c", "d", "e").readingCookies();
    assertThat(subjects("cookie:x", five)).isEmpty();
  }

  @Test
  void values_are_neither_folded_nor_trimmed_nor_normalised() {
    List<List<Subject.Part>> subjects = new ArrayList<>();
    for (String value : List.of("k", "K", "k ", "{k}", "k\r\n", "é", "e\u0301", "k\0")) {
      subjects.add(parts("header:X", FakeRequest.get("/").header("X", value)));
    }
    assertThat(subjects).doesNotHaveDuplicates();
  }

  @Test
  void values_do_not_run_into_each_other() {
    SubjectResolver both = SubjectResolver.of("header:A", "header:B");
    assertThat(subject(both, FakeRequest.get("/").header("A", "a").header("B", "bc")))
        .isNotEqualTo(subject(both, FakeRequest.get("/").header("A", "ab").header("B", "c")));
  }

  @Test
  void long_values_are_told_apart_without_being_kept() {
    // CVE-2024-9823, CVE-2024-8184 Jetty: what a limiter remembers of clients filled the memory
    String long1 = "k".repeat(8192);
    String long2 = "k".repeat(8191) + "l";
    List<Subject.Part> one = parts("header:X", FakeRequest.get("/").header("X", long1));
    assertThat(one)
        .isEqualTo(parts("header:X", FakeRequest.get("/").header("X", long1)))
        .isNotEqualTo(parts("header:X", FakeRequest.get("/").header("X", long2)));
    assertThat(one.get(0).value()).hasSizeLessThan(64);
    assertThat(parts("header:X", FakeRequest.get("/").header("X", "\ud800".repeat(300))))
        .isNotEqualTo(parts("header:X", FakeRequest.get("/").header("X", "?".repeat(300))));
  }

  @Test
  void long_values_of_lone_surrogates_are_told_apart() {
    assertThat(parts("header:X", FakeRequest.get("/").header("X", "\ud800".repeat(300))))
        .isNotEqualTo(parts("header:X", FakeRequest.get("/").header("X", "\ud801".repeat(300))));
  }

  @Test
  void a_value_that_looks_like_a_digest_is_not_the_long_one() {
    List<Subject.Part> digested =
        parts("query:x", FakeRequest.get("/").query("x", "k".repeat(300)));
    assertThat(parts("query:x", FakeRequest.get("/").query("x", digested.get(0).value())))
        .isNotEqualTo(digested);
  }

  @Test
  void a_function_of_the_user_tells_and_joins_with_other_parts() {
    SubjectResolver tenant =
        SubjectResolver.of("com.example.Tenant", r -> r.query("t"), Missing.SHARED);
    FakeRequest request = FakeRequest.get("/").query("t", "acme");
    assertThat(subject(tenant.and(SubjectResolver.of("ip")), request).parts())
        .containsExactly(part("class:com.example.Tenant", "acme"), part("ip", "192.0.2.1"));
  }

  @Test
  void a_function_that_fails_found_nobody_and_is_reported() {
    SubjectResolver failing =
        SubjectResolver.of(
            "com.example.Broken",
            request -> {
              throw new IllegalStateException("secret");
            },
            Missing.IP);
    assertThat(subject(failing, FakeRequest.get("/")).parts())
        .containsExactly(part("ip:class:com.example.Broken", "192.0.2.1"));
    assertThat(errors).containsExactly("subject class:com.example.Broken counts as missing");
  }

  @Test
  @SuppressWarnings("NullAway") // what code without null checks may well return
  void a_function_that_answers_null_found_nobody_and_is_reported() {
    SubjectResolver careless = SubjectResolver.of("Careless", request -> null, Missing.IP);
    assertThat(subject(careless, FakeRequest.get("/")).parts())
        .containsExactly(part("ip:class:Careless", "192.0.2.1"));
    assertThat(errors).containsExactly("subject class:Careless counts as missing");
  }

  @Test
  void needs_an_address_where_some_request_may_be_counted_by_it() {
    assertThat(SubjectResolver.of("ip").needsAddress()).isTrue();
    assertThat(SubjectResolver.of("header:X").needsAddress()).isTrue();
    assertThat(SubjectResolver.of("global").needsAddress()).isFalse();
    assertThat(SubjectResolver.parse(List.of("header:X"), Missing.SHARED).needsAddress()).isFalse();
    assertThat(SubjectResolver.parse(List.of("header:X", "ip"), Missing.SHARED).needsAddress())
        .isTrue();
  }

  @Test
  void says_its_kinds_and_no_values() {
    Subject subject =
        subject(SubjectResolver.of("header:X", "ip"), FakeRequest.get("/").header("X", "secret"));
    assertThat(subject.toString()).isEqualTo("header:x+ip");
  }

  private Subject subject(SubjectResolver resolver, FakeRequest request) {
    List<Subject> subjects = subjects(resolver, request);
    assertThat(subjects).hasSize(1);
    return subjects.get(0);
  }

  private List<Subject> subjects(String kind, FakeRequest request) {
    return subjects(SubjectResolver.of(kind), request);
  }

  private List<Subject> subjects(SubjectResolver resolver, FakeRequest request) {
    RequestContext context = Rules.context(request, ClientAddress.ofPeer());
    return resolver.resolve(context.through(matched(PATTERN)), reports);
  }

  private List<Subject.Part> parts(String kind, FakeRequest request) {
    return subject(SubjectResolver.of(kind), request).parts();
  }

  private static FakeRequest cookies(String... values) {
    FakeRequest request = FakeRequest.get("/");
    for (String value : values) {
      request.cookie("x", value);
    }
    return request;
  }

  private static Subject.Part part(String kind, String value) {
    return new Subject.Part(kind, value);
  }
}
