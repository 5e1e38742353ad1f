package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.ClientPolicy.KeyDigest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tier of a client. */
class TierSourceTest {

  private static final ClientAddress BEHIND =
      ClientAddress.behind(List.of("10.0.0.0/8"), "X-Forwarded-For");
  private static final TierSource BY_HEADER = TierSource.ofHeader("X-Tier", "free");

  @Test
  void a_header_is_believed_from_a_trusted_proxy_only() {
    assertThat(tier(BY_HEADER, requesting("10.0.0.1", "pro"))).hasValue("pro");
    assertThat(tier(BY_HEADER, requesting("192.0.2.1", "pro"))).isEmpty();
    FakeRequest forwarded = requesting("192.0.2.1", "pro").header("X-Forwarded-For", "10.0.0.1");
    assertThat(tier(BY_HEADER, forwarded)).isEmpty();
    assertThat(tier(BY_HEADER, requesting("unix:", "pro"))).isEmpty();
    FakeRequest peerless = FakeRequest.get("/").from(null).header("X-Tier", "pro");
    assertThat(tier(BY_HEADER, peerless)).isEmpty();
  }

  @Test
  void nobody_is_a_proxy_where_the_container_has_rewritten_the_address() {
    // a client behind Tomcat's RemoteIpValve may be in the network of a proxy
    assertThat(tier(BY_HEADER, requesting("10.0.0.1", "pro").rewritten())).isEmpty();
  }

  @Test
  void without_trusted_proxies_a_header_is_never_believed() {
    RequestContext context = Rules.context(requesting("10.0.0.1", "pro"), ClientAddress.ofPeer());
    assertThat(BY_HEADER.tier(context)).isEmpty();
  }

  @Test
  void of_two_lines_neither_is_believed() {
    FakeRequest twice = requesting("10.0.0.1", "vip").header("x-tier", "free");
    assertThat(tier(BY_HEADER, twice)).isEmpty();
    assertThat(tier(BY_HEADER, FakeRequest.get("/").from("10.0.0.1"))).isEmpty();
  }

  @Test
  void the_first_role_that_a_user_has_counts() {
    Map<String, String> tiers = new LinkedHashMap<>();
    tiers.put("staff", "unlimited");
    tiers.put("customer", "pro");
    tiers.put("admin", "vip");
    TierSource source = TierSource.ofRoles(tiers, "free");
    tiers.clear();
    assertThat(tier(source, FakeRequest.get("/").roles("admin", "customer"))).hasValue("pro");
    assertThat(tier(source, FakeRequest.get("/").roles("admin"))).hasValue("vip");
    assertThat(tier(source, FakeRequest.get("/").roles("guest"))).isEmpty();
    assertThat(source.tiers()).containsExactlyInAnyOrder("unlimited", "pro", "vip");
  }

  @Test
  void every_user_has_the_role_of_two_asterisks_and_nobody_else_has() {
    TierSource users = TierSource.ofRoles(Map.of("**", "member"), "anonymous");
    assertThat(tier(users, FakeRequest.get("/").principal("ada"))).hasValue("member");
    assertThat(tier(users, FakeRequest.get("/").roles("**"))).hasValue("member");
    assertThat(tier(users, FakeRequest.get("/"))).isEmpty();
    TierSource guests = TierSource.ofRoles(Map.of("guest", "member"), "anonymous");
    assertThat(tier(guests, FakeRequest.get("/").principal("ada"))).isEmpty();
  }

  @Test
  void a_key_is_known_by_its_digest_and_the_first_counts() {
    TierSource source =
        TierSource.ofKeys("header:X-API-Key", Map.of(KeyDigest.of("a"), "pro"), "free");
    assertThat(tier(source, FakeRequest.get("/").header("X-API-Key", "a", "b"))).hasValue("pro");
    assertThat(tier(source, FakeRequest.get("/").header("X-API-Key", "b", "a"))).isEmpty();
    assertThat(tier(source, FakeRequest.get("/"))).isEmpty();
    assertThat(source.tiers()).containsExactly("pro");
  }

  @Test
  void a_function_may_know_more() {
    TierSource source = TierSource.ofFunction(request -> request.query("tier"), "free");
    assertThat(tier(source, FakeRequest.get("/").query("tier", "pro"))).hasValue("pro");
  }

  @Test
  void a_tier_is_one_that_can_tell() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TierSource.ofHeader("X Tier", "free"))
        .withMessage("header: 'X Tier' (expected: a field name such as X-Tier)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TierSource.ofRoles(Map.of(), "free"))
        .withMessage("roles: {} (expected: at least one role and its tier)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TierSource.ofKeys("ip", Map.of(), "free"))
        .withMessage("key: 'ip' (expected: header:NAME, query:NAME or cookie:NAME)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TierSource.ofKeys("host", Map.of(), "free"))
        .withMessage("key: 'host' (expected: header:NAME, query:NAME or cookie:NAME)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " "})
  void a_tier_has_a_name(String tier) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TierSource.ofHeader("X-Tier", tier))
        .withMessageStartingWith("otherwise: '");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TierSource.ofRoles(Map.of("admin", tier), "free"))
        .withMessageStartingWith("tier: '");
  }

  private static FakeRequest requesting(String peer, String tier) {
    return FakeRequest.get("/").from(peer).header("X-Tier", tier);
  }

  private static Optional<String> tier(TierSource source, FakeRequest request) {
    return source.tier(Rules.context(request, BEHIND));
  }
}
