package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailoverLimitStore;
import dev.weir.fixture.DelegatingStore;
import dev.weir.fixture.ManualPermits;
import dev.weir.fixture.ManualScheduler;
import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.http.ClientPolicy.TierLimits;
import dev.weir.http.OnDenial.Ban;
import dev.weir.http.Rule.NamedLimit;
import dev.weir.http.spi.Outcome;
import dev.weir.http.spi.Outcome.Passed;
import dev.weir.http.spi.Outcome.Rejected;
import dev.weir.http.spi.RequestLimiter;
import dev.weir.local.LocalLimitStore;
import dev.weir.local.LocalOptions;
import dev.weir.store.AcquireRequest;
import dev.weir.store.Decision;
import dev.weir.store.LimitStore;
import dev.weir.store.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Whoever has kept its limit is not banned, and whoever is banned stays so. */
class BanFairnessTest extends LimiterUnderTest {

  private static final Ban FIRST = Ban.parse("15m after 1 denial in 1m");
  private static final String CLIENT = "198.51.100.7";
  private static final String OTHER = "198.51.100.8";

  private final ManualScheduler turns = new ManualScheduler(time);

  private static Rule banning(String... subject) {
    return Rule.builder("login")
        .match("/login")
        .subject(subject)
        .limit(LOGIN)
        .onDenial(OnDenial.REJECT.banning(FIRST))
        .build();
  }

  private RuleLimiter limiter(LimitStore decides, Rule... rules) {
    Duration deadline = RuleLimiter.Settings.DEFAULT.deadline();
    return new RuleLimiter(
        List.of(rules),
        RuleLimiter.Settings.DEFAULT,
        new RuleLimiter.Node(
            decides,
            ManualPermits.queues(decides, deadline, time, turns),
            new OverloadGate(time),
            time));
  }

  private static FakeRequest login(String client) {
    return FakeRequest.get("/login").from(client);
  }

  /** Sends what is counted, as a second does. */
  private void send() {
    turns.advance(Duration.ofSeconds(1));
  }

  private static void deny(RuleLimiter limiter, FakeRequest like) {
    assertThat(limiter.limit(like.again())).isInstanceOf(Rejected.class);
  }

  private static boolean isBanned(RuleLimiter limiter, FakeRequest like) {
    FakeRequest request = like.again();
    Outcome outcome = limiter.limit(request);
    boolean isMarked = request.attribute(RequestLimiter.BANNED) != null;
    assertThat(isMarked && outcome instanceof Passed).isFalse();
    return isMarked;
  }

  @Test
  void what_a_share_denies_in_an_outage_bans_nobody_when_the_store_is_back() {
    AtomicBoolean isOut = new AtomicBoolean();
    RuleLimiter limiter = limiter(failover(isOut), banning("ip"));
    isOut.set(true);
    exhaust(limiter, login(CLIENT), 2);
    deny(limiter, login(CLIENT));
    isOut.set(false);
    send();
    exhaust(limiter, login(CLIENT), 2);
    deny(limiter, login(CLIENT));
    send();
    assertThat(isBanned(limiter, login(CLIENT))).as("denied by the store").isTrue();
  }

  @Test
  void nobody_is_banned_in_an_outage_for_denials_from_before_it() {
    AtomicBoolean isOut = new AtomicBoolean();
    RuleLimiter limiter = limiter(failover(isOut), banning("ip"));
    exhaust(limiter, login(CLIENT), 2);
    deny(limiter, login(CLIENT));
    isOut.set(true);
    send();
    assertThat(isBanned(limiter, login(CLIENT))).isFalse();
  }

  private LimitStore failover(AtomicBoolean isOut) {
    LimitStore shared =
        new DelegatingStore(store) {
          @Override
          public Decision decide(AcquireRequest request) throws StoreUnavailableException {
            if (isOut.get()) {
              throw new StoreUnavailableException("out", Duration.ofSeconds(1), null);
            }
            return super.decide(request);
          }
        };
    LocalLimitStore fallback = LocalLimitStore.of(LocalOptions.of().withTime(time, time::instant));
    return FailoverLimitStore.of(shared, fallback, time);
  }

  @Test
  void a_counter_of_the_limit_that_subjects_share_bans_none_of_them() {
    LocalLimitStore small =
        LocalLimitStore.of(
            LocalOptions.of().withTime(time, time::instant).withMaxCounters(4).withLimits(() -> 2));
    RuleLimiter limiter = limiter(small, banning("ip"));
    exhaust(limiter, login("203.0.113.1"), 2);
    exhaust(limiter, login("203.0.113.2"), 2);
    exhaust(limiter, login("203.0.113.3"), 2);
    assertThat(small.overflowed().keySet())
        .as("the limit has no room, and the bans have")
        .hasSize(1);
    deny(limiter, login(CLIENT));
    send();
    assertThat(isBanned(limiter, login(CLIENT))).as("denied for others").isFalse();
    deny(limiter, login("203.0.113.1"));
    send();
    assertThat(isBanned(limiter, login("203.0.113.1"))).as("denied for itself").isTrue();
  }

  @Test
  void whoever_finds_the_queue_of_another_rule_too_long_is_not_banned_by_its_own_rule() {
    OnDenial waiting = OnDenial.delayUpTo(Duration.ofSeconds(9));
    Rule mine =
        Rule.builder("mine")
            .match("/login")
            .limit("mine", "9 per minute")
            .onDenial(waiting.banning(FIRST))
            .build();
    Rule all =
        Rule.builder("all")
            .match("/login")
            .subject("global")
            .limit("all", "12 per minute, burst 1")
            .onDenial(waiting)
            .build();
    RuleLimiter limiter = limiter(store, mine, all);
    List<FakeRequest> denied = new ArrayList<>();
    exhaust(limiter, login(OTHER).waitingAside(), 1);
    for (int i = 0; i < 6; i++) {
      FakeRequest request = login(CLIENT).waitingAside();
      if (limiter.limit(request) instanceof Rejected) {
        denied.add(request);
      }
    }
    assertThat(denied).as("fewer than the nine that its own rule grants").isNotEmpty();
    send();
    assertThat(denied).noneMatch(request -> isBanned(limiter, request));
  }

  @Test
  void a_second_cookie_opens_nothing_that_a_ban_has_closed() {
    List<NamedLimit> limits = List.of(LOGIN);
    TierSource keys =
        TierSource.ofKeys("cookie:key", Map.of(KeyDigest.of("real"), "customers"), "others");
    Rule byKey =
        banning("ip").toBuilder()
            .subject("cookie:key")
            .clients(
                ClientPolicy.SAME_FOR_ALL.withTiers(
                    new TierLimits(keys, Map.of("customers", limits, "others", limits))))
            .build();
    RuleLimiter limiter = limiter(store, byKey);
    exhaust(limiter, login(CLIENT).cookie("key", "real"), 2);
    deny(limiter, login(CLIENT).cookie("key", "real"));
    deny(limiter, login(OTHER).cookie("key", "real").cookie("key", "made-up"));
    send();
    assertThat(isBanned(limiter, login(OTHER).cookie("key", "made-up"))).isFalse();
    time.advance(Duration.ofMinutes(2));
    assertThat(isBanned(limiter, login(OTHER).cookie("key", "real"))).isTrue();
    assertThat(isBanned(limiter, login(OTHER).cookie("key", "x").cookie("key", "real"))).isTrue();
  }

  @Test
  void a_name_and_a_host_are_lifted_as_an_operator_writes_them() throws Exception {
    FakeRequest ada = login(CLIENT).header("Authorization", "Basic YWRhOjE=");
    Rule byName = banning("basic-user");
    RuleLimiter limiter = limiter(store, byName);
    ban(limiter, ada);
    limiter.liftBan(byName, List.of(CLIENT, "ada"));
    assertThat(isBanned(limiter, ada)).isFalse();

    FakeRequest shop = login(OTHER).host("Shop.example.");
    Rule byHost = banning("ip", "host");
    limiter = limiter(store, byHost);
    ban(limiter, shop);
    limiter.liftBan(byHost, List.of(OTHER, "SHOP.example:443"));
    assertThat(isBanned(limiter, shop)).isFalse();
  }

  private void ban(RuleLimiter limiter, FakeRequest client) {
    exhaust(limiter, client, 2);
    deny(limiter, client);
    send();
    assertThat(isBanned(limiter, client)).isTrue();
  }
}
