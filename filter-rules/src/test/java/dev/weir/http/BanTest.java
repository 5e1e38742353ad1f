package dev.weir.http;

import static dev.weir.http.Outcomes.field;
import static dev.weir.http.Outcomes.rejected;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.ManualPermits;
import dev.weir.fixture.ManualScheduler;
import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.http.ClientPolicy.TierLimits;
import dev.weir.http.OnDenial.Ban;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.SubjectResolver.Missing;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.store.AcquireRequest;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Subjects that are denied again and again, in the test's own time. */
class BanTest extends LimiterUnderTest {

  private static final Ban FIVE = Ban.parse("15m after 5 denials in 1m");
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String CLIENT = "198.51.100.7";
  private static final String OTHER = "198.51.100.8";

  private final ManualScheduler turns = new ManualScheduler(time);
  private final Rule login = banning(FIVE, "ip");

  private static Rule banning(Ban ban, String... subject) {
    return Rule.builder("login")
        .match("/login")
        .subject(subject)
        .limit(LOGIN)
        .onDenial(OnDenial.REJECT.banning(ban))
        .build();
  }

  @Override
  RuleLimiter limiter(Rule... rules) {
    return limiter(store, RuleLimiter.Settings.DEFAULT, rules);
  }

  private RuleLimiter limiter(LimitStore decides, RuleLimiter.Settings settings, Rule... rules) {
    return new RuleLimiter(
        List.of(rules),
        settings,
        new RuleLimiter.Node(
            decides,
            ManualPermits.queues(decides, settings.deadline(), time, turns),
            new OverloadGate(time),
            time));
  }

  private static FakeRequest login(String client) {
    return FakeRequest.get("/login").from(client);
  }

  /** Sends what is counted, as a second does. */
  private void send() {
    turns.advance(SECOND);
  }

  private static void deny(RuleLimiter limiter, FakeRequest like, int times) {
    for (int i = 0; i < times; i++) {
      FakeRequest request = like.again();
      rejected(limiter.limit(request));
      assertThat(request.attribute(RequestLimiter.BANNED)).isNull();
    }
  }

  private static boolean isBanned(RuleLimiter limiter, FakeRequest like) {
    FakeRequest request = like.again();
    Outcome outcome = limiter.limit(request);
    boolean isMarked = request.attribute(RequestLimiter.BANNED) != null;
    assertThat(isMarked && outcome instanceof Passed).isFalse();
    return isMarked;
  }

  @Test
  void a_subject_that_is_denied_again_and_again_is_refused_until_its_ban_ends() {
    RuleLimiter limiter = limiter(login);
    exhaust(limiter, login(CLIENT), 2);
    deny(limiter, login(CLIENT), 5);
    send();
    FakeRequest banned = login(CLIENT);
    Outcome refused = limiter.limit(banned);
    assertThat(rejected(refused).status()).isEqualTo(429);
    assertThat(field(refused, "Retry-After")).isEqualTo("900");
    assertThat(field(refused, "RateLimit")).isNull();
    assertThat(field(refused, "RateLimit-Policy")).isNull();
    assertThat(banned.attribute(RequestLimiter.BANNED)).isEqualTo("login");
    assertThat(limiter.limit(login(OTHER))).isInstanceOf(Passed.class);

    time.advance(Duration.ofSeconds(899));
    assertThat(field(limiter.limit(login(CLIENT)), "Retry-After")).isEqualTo("1");
    time.advance(SECOND);
    exhaust(limiter, login(CLIENT), 2);
  }

  @Test
  void one_denial_less_bans_nobody_and_too_old_ones_do_not_count() {
    RuleLimiter limiter = limiter(login);
    for (int minute = 0; minute < 9; minute++) {
      exhaust(limiter, login(CLIENT), 2);
      deny(limiter, login(CLIENT), 4);
      turns.advance(Duration.ofSeconds(63));
    }
  }

  @Test
  void what_is_denied_during_a_ban_neither_lengthens_it_nor_counts_after_it() {
    RuleLimiter limiter = limiter(login);
    exhaust(limiter, login(CLIENT), 2);
    deny(limiter, login(CLIENT), 7);
    send();
    for (int second = 900; second > 0; second--) {
      assertThat(isBanned(limiter, login(CLIENT))).as("%d s before its end", second).isTrue();
      send();
    }
    exhaust(limiter, login(CLIENT), 2);
    deny(limiter, login(CLIENT), 4);
    send();
    assertThat(isBanned(limiter, login(CLIENT))).as("after four denials").isFalse();
    send();
    assertThat(isBanned(limiter, login(CLIENT))).as("after five").isTrue();
  }

  @Test
  void what_was_counted_before_a_ban_and_sent_during_it_does_not_lengthen_it() {
    RuleLimiter one = limiter(login);
    RuleLimiter other = limiter(login);
    exhaust(one, login(CLIENT), 2);
    deny(other, login(CLIENT), 9);
    turns.advance(Duration.ofMillis(500));
    deny(one, login(CLIENT), 9);
    turns.advance(Duration.ofMillis(500));
    assertThat(isBanned(one, login(CLIENT))).isTrue();
    turns.advance(Duration.ofMillis(500));
    time.advance(Duration.ofMillis(899_500));
    assertThat(one.limit(login(CLIENT))).isInstanceOf(Passed.class);
  }

  @Test
  void a_ban_is_of_the_requests_of_its_rule_and_charges_no_limit() {
    NamedLimit wide = Rules.limit("wide", "9 per minute");
    RuleLimiter limiter = limiter(login, Rules.rule("all", RequestMatcher.of("/**"), "ip", wide));
    exhaust(limiter, login(CLIENT), 2);
    deny(limiter, login(CLIENT), 5);
    send();
    for (int i = 0; i < 20; i++) {
      assertThat(isBanned(limiter, login(CLIENT))).isTrue();
    }
    Outcome elsewhere = limiter.limit(FakeRequest.get("/").from(CLIENT));
    assertThat(field(elsewhere, "RateLimit")).startsWith("\"wide\";r=6;");
  }

  @Test
  void fields_of_responses_say_nothing_of_a_ban_that_may_come() {
    RuleLimiter limiter = limiter(login);
    exhaust(limiter, login(CLIENT), 2);
    deny(limiter, login(CLIENT), 4);
    send();
    assertThat(field(limiter.limit(login(CLIENT)), "RateLimit-Policy"))
        .isEqualTo("\"login\";q=2;w=60");
    assertThat(field(limiter.limit(login(OTHER)), "RateLimit-Policy"))
        .isEqualTo("\"login\";q=2;w=60");
  }

  @Test
  void denials_cost_the_store_one_call_a_second_for_each_subject() {
    List<Long> sent = new ArrayList<>();
    AtomicInteger decided = new AtomicInteger();
    LimitStore counting =
        new DelegatingStore(store) {
          @Override
          public Decision decide(AcquireRequest request) throws StoreUnavailableException {
            if (request.mode() instanceof Mode.OrBlock) {
              sent.add(request.charges().get(0).permits());
            } else {
              decided.incrementAndGet();
            }
            return super.decide(request);
          }
        };
    Rule patient = banning(Ban.parse("15m after 1000 denials in 1h"), "ip");
    RuleLimiter limiter = limiter(counting, RuleLimiter.Settings.DEFAULT, patient);
    exhaust(limiter, login(CLIENT), 2);
    exhaust(limiter, login(OTHER), 2);
    assertThat(decided).as("one call for each request").hasValue(4);
    deny(limiter, login(CLIENT), 100);
    deny(limiter, login(OTHER), 50);
    turns.advance(Duration.ofMillis(999));
    assertThat(sent).isEmpty();
    turns.advance(Duration.ofMillis(1));
    assertThat(sent).containsExactlyInAnyOrder(100L, 50L);
    deny(limiter, login(CLIENT), 3);
    turns.advance(SECOND);
    assertThat(sent).hasSize(3).endsWith(3L);
    turns.advance(Duration.ofSeconds(9));
    assertThat(sent).hasSize(3);
    assertThat(turns.waiting()).as("nothing runs while nothing is denied").isZero();
  }

  @Test
  void a_store_that_fails_loses_denials_and_fails_no_request() {
    LimitStore failing =
        new DelegatingStore(store) {
          @Override
          public Decision decide(AcquireRequest request) throws StoreUnavailableException {
            if (request.mode() instanceof Mode.OrBlock) {
              throw new StoreUnavailableException("out", SECOND, null);
            }
            return super.decide(request);
          }
        };
    RuleLimiter limiter = limiter(failing, RuleLimiter.Settings.DEFAULT, login);
    exhaust(limiter, login(CLIENT), 2);
    for (int i = 0; i < 3; i++) {
      deny(limiter, login(CLIENT), 9);
      send();
    }
    assertThat(isBanned(limiter, login(CLIENT))).isFalse();
  }

  @Test
  void a_flood_of_subjects_bans_no_other_and_is_bounded() {
    Rule strict = banning(Ban.parse("15m after 1 denial in 1m"), "ip");
    RuleLimiter limiter = limiter(strict);
    int most = 10_000;
    for (int i = 0; i <= most; i++) {
      exhaust(limiter, login(address(i)), 2);
      deny(limiter, login(address(i)), 1);
    }
    send();
    assertThat(isBanned(limiter, login(address(0)))).isTrue();
    assertThat(isBanned(limiter, login(address(most - 1)))).isTrue();
    assertThat(isBanned(limiter, login(address(most)))).as("not counted").isFalse();
    assertThat(limiter.limit(login(CLIENT))).as("never denied").isInstanceOf(Passed.class);
    send();
    assertThat(isBanned(limiter, login(address(most)))).as("counted a second later").isTrue();
  }

  private static String address(int number) {
    return "10.7." + number / 200 + "." + (1 + number % 200);
  }

  @Test
  void a_banned_request_does_not_wait() {
    Rule delaying =
        Rule.builder("slow")
            .match("/login")
            .limit("pace", "2 per minute window")
            .onDenial(OnDenial.delayUpTo(Duration.ofSeconds(9)).banning(FIVE))
            .build();
    RuleLimiter limiter = limiter(delaying);
    exhaust(limiter, login(CLIENT).waitingAside(), 2);
    deny(limiter, login(CLIENT).waitingAside(), 5);
    send();
    time.advance(Duration.ofSeconds(52));
    FakeRequest banned = login(CLIENT).waitingAside();
    assertThat(field(limiter.limit(banned), "Retry-After")).isEqualTo("848");
    assertThat(banned.attribute(RequestLimiter.BANNED)).isEqualTo("slow");
  }

  @Test
  void where_only_failed_logins_count_only_their_denials_ban() {
    RuleLimiter limiter = limiter(login.toBuilder().count("401").build());
    for (int i = 0; i < 9; i++) {
      ended(limiter.limit(login(CLIENT)), 200);
    }
    send();
    ended(limiter.limit(login(CLIENT)), 401);
    ended(limiter.limit(login(CLIENT)), 401);
    deny(limiter, login(CLIENT), 5);
    send();
    assertThat(isBanned(limiter, login(CLIENT))).isTrue();
    assertThat(isBanned(limiter, login(OTHER))).isFalse();
  }

  private static void ended(Outcome outcome, int status) {
    assertThat(outcome).isInstanceOf(Passed.class);
    outcome.completion().orElseThrow().completed(status);
  }

  @Test
  void a_shadow_bans_nobody() {
    assertThat(OnDenial.SHADOW.banning(FIVE)).isEqualTo(OnDenial.SHADOW);
    assertThat(OnDenial.REJECT.banning(FIVE).ban()).hasValue(FIVE);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OnDenial.DEGRADE.banning(FIVE))
        .withMessage(
            "ban: a ban with on-denial: degrade (expected: reject or delay, for a degraded request"
                + " passes)");
  }

  @Test
  void a_lifted_ban_begins_anew() throws Exception {
    RuleLimiter limiter = limiter(login);
    exhaust(limiter, login("2001:db8::7"), 2);
    deny(limiter, login("2001:db8::7"), 5);
    send();
    assertThat(isBanned(limiter, login("2001:db8::9"))).as("of one network").isTrue();
    limiter.liftBan(login, List.of("[2001:db8::8]:4711"));
    deny(limiter, login("2001:db8::7"), 4);
    send();
    assertThat(isBanned(limiter, login("2001:db8::7"))).isFalse();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.liftBan(login, List.of("no address")))
        .withMessage("subject: something else (expected: an address for ip)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter.liftBan(login, List.of(CLIENT, "x")))
        .withMessage("subject: 2 values (expected: one for each of ip)");
  }

  @Test
  void whoever_has_no_user_is_banned_and_lifted_by_the_address() throws Exception {
    Rule byUser = banning(FIVE, "principal");
    RuleLimiter limiter = limiter(byUser);
    exhaust(limiter, login(CLIENT), 2);
    deny(limiter, login(CLIENT), 5);
    send();
    assertThat(isBanned(limiter, login(CLIENT))).isTrue();
    assertThat(isBanned(limiter, login(CLIENT).principal("alice"))).isFalse();
    limiter.liftBan(byUser, List.of(CLIENT));
    assertThat(isBanned(limiter, login(CLIENT))).isFalse();
  }

  // ---------------------------------------------------------------- who may be banned

  @Test
  void a_subject_that_a_client_can_make_up_or_that_all_share_bans_nobody() {
    for (String madeUp : List.of("header:X-Key", "query:key", "cookie:sid", "host")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> banning(FIVE, madeUp))
          .withMessageContaining("for a client can make this one up, and have others banned");
    }
    for (String shared : List.of("global", "path", "method")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> banning(FIVE, shared))
          .withMessageContaining("for all clients share this one, and would be banned");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                login.toBuilder()
                    .subject(SubjectResolver.parse(List.of("principal"), Missing.SHARED))
                    .build())
        .withMessageContaining("'missing: ip', for all that lack the subject share one");
    assertThat(banning(FIVE, "ip", "header:X-Key").subject()).hasToString("ip+header:x-key");
    assertThat(banning(FIVE, "principal", "path").subject()).hasToString("principal+path");
  }

  @Test
  void a_client_has_nobody_banned_but_itself_whatever_it_sends() {
    RuleLimiter limiter = limiter(banning(FIVE, "ip", "header:X-Key"));
    for (int i = 0; i < 9; i++) {
      FakeRequest as = login(CLIENT).header("X-Key", "of-the-victim");
      limiter.limit(as.header("X-Forwarded-For", OTHER).header("Forwarded", "for=" + OTHER));
    }
    send();
    assertThat(isBanned(limiter, login(CLIENT).header("X-Key", "of-the-victim"))).isTrue();
    FakeRequest victim = login(OTHER).header("X-Key", "of-the-victim");
    assertThat(limiter.limit(victim)).isInstanceOf(Passed.class);
  }

  @Test
  void a_key_that_a_tier_knows_may_be_banned_and_a_made_up_one_not() {
    TierSource keys =
        TierSource.ofKeys("header:X-Key", Map.of(KeyDigest.of("real"), "customers"), "others");
    List<NamedLimit> limits = List.of(LOGIN);
    Rule byKey =
        Rule.builder("login")
            .match("/login")
            .subject("header:X-Key")
            .limits(limits)
            .clients(
                ClientPolicy.SAME_FOR_ALL.withTiers(
                    new TierLimits(keys, Map.of("customers", limits, "others", limits))))
            .onDenial(OnDenial.REJECT.banning(FIVE))
            .build();
    RuleLimiter limiter = limiter(byKey);
    for (String key : List.of("real", "made-up")) {
      exhaust(limiter, login(CLIENT).header("X-Key", key), 2);
      deny(limiter, login(CLIENT).header("X-Key", key), 9);
    }
    send();
    assertThat(isBanned(limiter, login(OTHER).header("X-Key", "real"))).isTrue();
    assertThat(isBanned(limiter, login(CLIENT).header("X-Key", "made-up"))).isFalse();
  }

  @Test
  void the_address_of_a_proxy_stands_for_all_behind_it_and_is_not_banned() {
    RuleLimiter.Settings behindProxy =
        RuleLimiter.Settings.DEFAULT.withClientAddress(
            ClientAddress.behind(List.of("10.0.0.0/8"), "X-Forwarded-For"));
    RuleLimiter limiter = limiter(store, behindProxy, login);
    exhaust(limiter, login("10.0.0.1"), 2);
    deny(limiter, login("10.0.0.1"), 9);
    deny(limiter, login("10.0.0.1").header("X-Forwarded-For", "unknown"), 9);
    FakeRequest edge = login("10.0.0.1").header("X-Forwarded-For", "10.0.0.2");
    exhaust(limiter, edge, 2);
    deny(limiter, edge, 9);
    FakeRequest client = login("10.0.0.1").header("X-Forwarded-For", CLIENT);
    exhaust(limiter, client, 2);
    deny(limiter, client, 5);
    FakeRequest unix = login(CLIENT).from(null);
    exhaust(limiter, unix, 2);
    deny(limiter, unix, 9);
    send();
    assertThat(isBanned(limiter, login("10.0.0.1"))).isFalse();
    assertThat(isBanned(limiter, edge)).isFalse();
    assertThat(isBanned(limiter, unix)).isFalse();
    assertThat(isBanned(limiter, client)).isTrue();
  }

  @Test
  void a_limit_has_another_name_than_the_denials_of_a_rule() {
    NamedLimit taken = Rules.limit("ban:login", "9 per minute");
    Rule other = Rules.rule("other", RequestMatcher.of("/**"), "ip", taken);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> limiter(login, other))
        .withMessage(
            "limits: 'ban:login' (expected: another name, for a rule counts its denials so)");
    assertThat(limiter(other)).isNotNull();
  }

  // ---------------------------------------------------------------- the one-line form

  @Test
  void a_ban_is_read_from_one_line_and_printed_so() {
    assertThat(Ban.parse("15m after 20 denials in 1m"))
        .hasToString("15 minutes after 20 denials in 1 minute")
        .isEqualTo(Ban.parse(" 900 s  after 20 denials in 60 seconds "));
    assertThat(Ban.parse("1 day after 1 denial in 1h").length()).isEqualTo(Duration.ofDays(1));
    for (String form :
        List.of("2 weeks after 3 denials in 1 day", "1s after 1_000 denials in 1s")) {
      assertThat(Ban.parse(Ban.parse(form).toString())).isEqualTo(Ban.parse(form));
    }
  }
}
