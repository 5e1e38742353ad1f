package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which plan a client has. */
class TierTest {

  private static final ClientAddress BEHIND =
      ClientAddress.behind(List.of("10.0.0.0/8"), "X-Forwarded-For");
  private static final Tier BY_HEADER = new Tier.OfHeader("X-Plan", "free");

  @Test
  void a_header_is_believed_from_a_trusted_proxy_only() {
    assertThat(plan(BY_HEADER, asking("10.0.0.1", "pro"))).hasValue("pro");
    assertThat(plan(BY_HEADER, asking("192.0.2.1", "pro"))).isEmpty();
    FakeRequest forwarded = asking("192.0.2.1", "pro").header("X-Forwarded-For", "10.0.0.1");
    assertThat(plan(BY_HEADER, forwarded)).isEmpty();
    assertThat(plan(BY_HEADER, asking("unix:", "pro"))).isEmpty();
    FakeRequest peerless = FakeRequest.get("/").from(null).header("X-Plan", "pro");
    assertThat(plan(BY_HEADER, peerless)).isEmpty();
  }

  @Test
  void nobody_is_a_proxy_where_the_container_has_rewritten_the_address() {
    // a client behind Tomcat's RemoteIpValve may be in the network of a proxy
    assertThat(plan(BY_HEADER, asking("10.0.0.1", "pro").rewritten())).isEmpty();
  }

  @Test
  void without_trusted_proxies_a_header_is_never_believed() {
    RequestContext context = new RequestContext(asking("10.0.0.1", "pro"), ClientAddress.ofPeer());
    assertThat(BY_HEADER.plan(context)).isEmpty();
  }

  @Test
  void of_two_lines_neither_is_believed() {
    FakeRequest twice = asking("10.0.0.1", "vip").header("x-plan", "free");
    assertThat(plan(BY_HEADER, twice)).isEmpty();
    assertThat(plan(BY_HEADER, FakeRequest.get("/").from("10.0.0.1"))).isEmpty();
  }

  @Test
  void the_first_role_that_a_user_has_counts() {
    Map<String, String> plans = new LinkedHashMap<>();
    plans.put("staff", "unlimited");
    plans.put("customer", "pro");
    plans.put("admin", "vip");
    Tier tier = new Tier.OfRoles(plans, "free");
    plans.clear();
    assertThat(plan(tier, FakeRequest.get("/").roles("admin", "customer"))).hasValue("pro");
    assertThat(plan(tier, FakeRequest.get("/").roles("admin"))).hasValue("vip");
    assertThat(plan(tier, FakeRequest.get("/").roles("guest"))).isEmpty();
    assertThat(tier.plans()).containsExactlyInAnyOrder("unlimited", "pro", "vip");
  }

  @Test
  void a_key_is_known_by_its_digest_and_the_first_counts() {
    Tier tier = new Tier.OfKeys("header:X-API-Key", Map.of(KeyDigest.of("a"), "pro"), "free");
    assertThat(plan(tier, FakeRequest.get("/").header("X-API-Key", "a", "b"))).hasValue("pro");
    assertThat(plan(tier, FakeRequest.get("/").header("X-API-Key", "b", "a"))).isEmpty();
    assertThat(plan(tier, FakeRequest.get("/"))).isEmpty();
    assertThat(tier.plans()).containsExactly("pro");
  }

  @Test
  void a_function_may_know_more() {
    Tier tier = new Tier.OfFunction(request -> request.query("plan"), "free");
    assertThat(plan(tier, FakeRequest.get("/").query("plan", "pro"))).hasValue("pro");
  }

  @Test
  void a_tier_is_one_that_can_tell() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Tier.OfHeader("X Plan", "free"))
        .withMessage("header: 'X Plan' (expected: a field name such as X-Plan)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Tier.OfRoles(Map.of(), "free"))
        .withMessage("roles: {} (expected: at least one role and its plan)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Tier.OfKeys("ip", Map.of(), "free"))
        .withMessage("key: 'ip' (expected: header:NAME, query:NAME or cookie:NAME)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void a_plan_has_a_name(String plan) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Tier.OfHeader("X-Plan", plan))
        .withMessageStartingWith("otherwise: '");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Tier.OfRoles(Map.of("admin", plan), "free"))
        .withMessageStartingWith("plan: '");
  }

  private static FakeRequest asking(String peer, String plan) {
    return FakeRequest.get("/").from(peer).header("X-Plan", plan);
  }

  private static Optional<String> plan(Tier tier, FakeRequest request) {
    return tier.plan(new RequestContext(request, BEHIND));
  }
}
