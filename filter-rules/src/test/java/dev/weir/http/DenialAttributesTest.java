package dev.weir.http;

import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ClientPolicy.Clients;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.internal.store.DigestTags;
import dev.weir.store.Subject;
import dev.weir.store.SubjectTags;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What an access log can print of a request. */
class DenialAttributesTest extends LimiterUnderTest {

  private static final SubjectTags TAGS = DigestTags.keyed("sixteen characters");
  private static final RuleLimiter.Settings SETTINGS = RuleLimiter.Settings.DEFAULT.withTags(TAGS);
  private static final String CLIENT = "203.0.113.7";

  private final Rule login =
      Rules.rule("login", RequestMatcher.of("/login"), "ip", Rules.limit("few", "1 per minute"));
  private final Rule shadow =
      Rules.rule("next", RequestMatcher.of("/login"), "ip", Rules.limit("none", "1 per hour"))
          .toBuilder()
          .onDenial(OnDenial.SHADOW)
          .build();

  private static FakeRequest request() {
    return FakeRequest.get("/login").from(CLIENT);
  }

  private static String tag() {
    return TAGS.of(Subject.of("ip", CLIENT));
  }

  private static List<@Nullable Object> attributes(FakeRequest request) {
    return Stream.of(
            RequestLimiter.DENIED,
            RequestLimiter.SOURCE,
            RequestLimiter.SUBJECT,
            RequestLimiter.SHADOW_DENIED)
        .<@Nullable Object>map(request::attribute)
        .toList();
  }

  @Test
  void a_denied_request_has_its_rule_and_limit_its_source_and_the_tag_of_its_subject() {
    RuleLimiter limiter = limiter(SETTINGS, login);
    limiter.limit(request());
    FakeRequest denied = request();
    rejected(limiter.limit(denied));
    assertThat(attributes(denied)).containsExactly("login/few", "local", tag(), null);
    assertThat(tag()).matches("[A-Za-z0-9_-]{8}").doesNotContain(CLIENT);
  }

  @Test
  void an_allowed_request_has_none() {
    FakeRequest allowed = request();
    assertThat(limiter(SETTINGS, login, shadow).limit(allowed)).isInstanceOf(Passed.class);
    assertThat(attributes(allowed)).containsOnlyNulls();
  }

  @Test
  void what_a_shadow_would_deny_is_named_apart() {
    RuleLimiter limiter = limiter(SETTINGS, shadow);
    limiter.limit(request());
    FakeRequest passed = request();
    assertThat(limiter.limit(passed)).isInstanceOf(Passed.class);
    assertThat(attributes(passed)).containsExactly(null, "local", tag(), "next/none/" + tag());
  }

  @Test
  void shadows_stand_one_after_the_other_and_beside_a_denial() {
    Rule byPath =
        Rules.rule("by path", RequestMatcher.of("/login"), "path", Rules.limit("p", "1 per day"))
            .toBuilder()
            .onDenial(OnDenial.SHADOW)
            .build();
    RuleLimiter limiter = limiter(SETTINGS, login, shadow, byPath);
    limiter.limit(request());
    FakeRequest denied = request();
    rejected(limiter.limit(denied));
    assertThat(attributes(denied))
        .containsExactly(
            "login/few",
            "local",
            tag(),
            "next/none/" + tag() + ",by_path/p/" + TAGS.of(Subject.of("path", "/login")));
  }

  @Test
  void a_denial_after_a_shadow_has_its_own_source_and_subject() {
    Rule bound = Rules.bound("bound", "method", Rules.limit("nothing", "1 per day"));
    RuleLimiter limiter = limiter(SETTINGS, shadow);
    limiter.limit(request());
    limiter.limit(request(), List.of(bound));
    FakeRequest denied = request();
    limiter.limit(denied);
    rejected(limiter.limit(denied, List.of(bound)));
    assertThat(attributes(denied))
        .containsExactly(
            "bound/nothing", "local", TAGS.of(Subject.of("method", "GET")), "next/none/" + tag());
  }

  @Test
  void a_refused_client_was_not_counted() {
    Rule internal =
        login.toBuilder()
            .clients(ClientPolicy.SAME_FOR_ALL.withDenied(Clients.in(List.of(CLIENT))))
            .build();
    FakeRequest refused = request();
    assertThat(rejected(limiter(SETTINGS, internal).limit(refused)).status()).isEqualTo(403);
    assertThat(attributes(refused)).containsExactly("login/-", "rule", "-", null);
  }

  @Test
  void a_degraded_request_is_denied_by_its_limit() {
    Rule degrading = login.toBuilder().onDenial(OnDenial.DEGRADE).build();
    RuleLimiter limiter = limiter(SETTINGS, degrading);
    limiter.limit(request());
    FakeRequest degraded = request();
    assertThat(limiter.limit(degraded)).isInstanceOf(Passed.class);
    assertThat(attributes(degraded)).containsExactly("login/few", "local", tag(), null);
    assertThat(degraded.attribute(RequestLimiter.DEGRADED)).isEqualTo("login");
  }
}
