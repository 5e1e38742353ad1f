package dev.weir.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.fixture.AcquireRequests;
import dev.weir.limit.Limit;
import dev.weir.store.AcquireRequest.Charge;
import dev.weir.store.AcquireRequest.Mode;
import dev.weir.store.Decision.Receipt;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Subjects, counters, charges and asks: what they accept, how they compare, what they hide. */
class WordsTest {

  private static final String KEY = "sk_live_0123456789";

  private final Limit limit = Limit.parse("10 per second");
  private final Subject secret =
      new Subject(
          List.of(new Subject.Part("header:X-API-Key", KEY), new Subject.Part("ip", "192.0.2.1")));

  @Test
  void subjects_are_the_same_when_kinds_and_values_are() {
    assertThat(Subject.of("user", "7"))
        .isEqualTo(new Subject(List.of(new Subject.Part("user", "7"))))
        .isNotEqualTo(Subject.of("tenant", "7"))
        .isNotEqualTo(Subject.of("user", "8"));
    assertThat(Subject.of("7")).isEqualTo(Subject.of("subject", "7"));
    assertThat(Subject.global()).isEqualTo(Subject.global()).isNotEqualTo(Subject.of(""));
    assertThat(parts("a", "b")).isNotEqualTo(parts("b", "a")).isNotEqualTo(parts("ab", ""));
  }

  private static Subject parts(String one, String other) {
    return new Subject(List.of(new Subject.Part("k", one), new Subject.Part("k", other)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\0", "\uD800", "{tag}", "*", "a:b", "\r\n"})
  void any_value_is_a_value(String value) {
    assertThat(Subject.of(value).parts().get(0).value()).isEqualTo(value);
  }

  @Test
  void nothing_that_holds_a_subject_shows_its_values() {
    Charge charge = new Charge(new Counter("api", limit, secret), 1);
    AcquireRequest request = AcquireRequests.request(charge);
    Receipt receipt = new Receipt(Source.LOCAL, List.of(new Receipt.Grant(charge, 5)));
    Decision decision =
        Decision.counted(
            Source.LOCAL,
            List.of(new Verdict(charge.counter(), 1, Retry.NOW, Duration.ZERO)),
            receipt);
    for (Object holder :
        List.of(
            secret,
            charge.counter(),
            charge,
            request,
            receipt,
            decision,
            new Adjustment.Refund(receipt),
            new Adjustment.Reset(charge.counter()),
            new Adjustment.Reward(charge.counter(), 1),
            new Adjustment.Block(charge.counter(), Duration.ofDays(1)),
            new Adjustment.Unblock(charge.counter()))) {
      assertThat(holder.toString())
          .contains("header:X-API-Key+ip")
          .doesNotContain(KEY)
          .doesNotContain("192.0.2.1");
    }
    assertThat(secret.parts().get(0)).hasToString("header:X-API-Key");
  }

  @Test
  void no_message_shows_a_subjects_values() {
    Charge one = new Charge(new Counter("api", limit, secret), Long.MAX_VALUE);
    Charge other = new Charge(new Counter("api", Limit.parse("1/s"), secret), 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AcquireRequests.request(one, other))
        .withMessageNotContainingAny(KEY, "192.0.2.1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AcquireRequests.request(one, one))
        .withMessageNotContainingAny(KEY, "192.0.2.1");
  }

  @Test
  void a_subject_has_parts_and_a_part_a_kind() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Subject(List.of()))
        .withMessage("parts: [] (expected: at least one)");
    for (String blank : List.of("", " ", "\t")) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Subject.of(blank, KEY))
          .withMessageStartingWith("kind: '")
          .withMessageEndingWith("(expected: a name that is not blank)")
          .withMessageNotContainingAny(KEY);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"login", "Login.do", "a b", "ip:port/x", "~!#$%&'()*+,-./:;<=>?@[]^_`|"})
  void a_name_of_printable_ascii_is_a_name(String name) {
    assertThat(new Counter(name, limit, Subject.global()).name()).isEqualTo(name);
    assertThat(new Counter("x".repeat(128), limit, Subject.global()).name()).hasSize(128);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a{b", "a}b", "a\"b", "a\\b", "é", "a\0b", "a\nb", "a\u007fb", "名"})
  void a_name_of_other_characters_is_none(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Counter(name, limit, Subject.global()))
        .withMessageStartingWith("name: '")
        .withMessageEndingWith("(expected: printable ASCII without \" \\ { and })")
        .withMessageNotContainingAny("\n", "\0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "  "})
  void a_blank_name_is_none(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Counter.validateName(name))
        .withMessage("name: '" + name + "' (expected: a name that is not blank)");
  }

  @Test
  void a_name_has_an_end() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Counter.validateName("x".repeat(129)))
        .withMessageStartingWith("name: 'xxx")
        .withMessageEndingWith("(expected: at most 128 characters)");
  }

  @Test
  void a_counter_is_the_same_under_other_numbers() {
    Counter counter = new Counter("a", limit, secret);
    assertThat(counter.isSameAs(new Counter("a", Limit.parse("1/s"), secret))).isTrue();
    assertThat(counter.isSameAs(new Counter("b", limit, secret))).isFalse();
    assertThat(counter.isSameAs(new Counter("a", limit, Subject.global()))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void permits_are_not_negative(long permits) {
    Counter counter = new Counter("a", limit, Subject.global());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Charge(counter, permits))
        .withMessage("permits: " + permits + " (expected: >= 0)");
  }

  @ParameterizedTest
  @CsvSource({
    "1, false",
    "10, false",
    "11, true",
    "2147483648, true",
    "9007199254740991, true",
    "9007199254740993, true",
    "9223372036854775807, true"
  })
  void permits_above_the_capacity_are_never_satisfiable(long permits, boolean never) {
    assertThat(charge("a", permits).isNeverSatisfiable()).isEqualTo(never);
  }

  @Test
  void charges_of_one_counter_are_summed_in_the_place_of_the_first() {
    assertThat(
            AcquireRequests.request(charge("a", 1), charge("b", 2), charge("a", 4), charge("b", 8))
                .charges())
        .containsExactly(charge("a", 5), charge("b", 10));
    assertThat(AcquireRequests.request(charge("a", Long.MAX_VALUE - 1), charge("a", 1)).charges())
        .containsExactly(charge("a", Long.MAX_VALUE));
  }

  /** To compare each with each other would be 800 million comparisons. */
  @Test
  void forty_thousand_charges_are_summed_as_two_are() {
    List<Charge> charges = new ArrayList<>();
    for (int i = 0; i < 40_000; i++) {
      charges.add(
          AcquireRequests.charge("limit" + i % 39_999, "9 per minute", Subject.global(), 1));
    }
    AcquireRequest request =
        assertTimeoutPreemptively(
            Duration.ofSeconds(10), () -> AcquireRequests.request(charges.toArray(Charge[]::new)));
    assertThat(request.charges()).hasSize(39_999);
    assertThat(request.charges().get(0).permits()).isEqualTo(2);
  }

  @Test
  void charges_that_cannot_be_summed_are_told_why() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AcquireRequests.request(charge("a", Long.MAX_VALUE), charge("a", 1)))
        .withMessage("permits: 9223372036854775807 + 1 (expected: a sum that a long holds)");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                AcquireRequests.request(
                    charge("a", 1), AcquireRequests.charge("a", "2/s", Subject.global(), 1)))
        .withMessage(
            "limit: 2 per second (expected: '10 per second', as in the other charge of a)");
    assertThatIllegalArgumentException()
        .isThrownBy(AcquireRequests::request)
        .withMessage("charges: [] (expected: at least one)");
  }

  @Test
  void fewer_permits_than_asked_are_taken_of_one_counter_only() {
    assertThat(AcquireRequests.request(Mode.UP_TO, charge("a", 5), charge("a", 4)).charges())
        .containsExactly(charge("a", 9));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AcquireRequests.request(Mode.UP_TO, charge("a", 1), charge("b", 1)))
        .withMessage("charges: 2 (expected: of one counter, in the mode UpTo[])");
    for (Mode mode : List.of(Mode.UP_TO, new Mode.Within(Duration.ZERO))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> AcquireRequests.request(mode, charge("a", 0)))
          .withMessage("permits: 0 (expected: >= 1, in the mode " + mode + ")");
    }
  }

  @Test
  void an_ask_is_for_exactly_its_charges_unless_it_says_otherwise() {
    assertThat(AcquireRequests.request(charge("a", 1)).mode()).isEqualTo(Mode.EXACTLY);
  }

  @Test
  void a_deadline_is_that_long_from_now() {
    assertThat(Deadline.after(Duration.ofHours(1)).remainingNanos())
        .isBetween(Duration.ofMinutes(59).toNanos(), Duration.ofHours(1).toNanos());
    assertThat(Deadline.after(Duration.ofHours(1)).hasPassed()).isFalse();
    assertThat(Deadline.after(Duration.ZERO).hasPassed()).isTrue();
    assertThat(Deadline.after(Duration.ofSeconds(Long.MAX_VALUE)).hasPassed()).isFalse();
  }

  @Test
  void the_stricter_outage_policy_wins() {
    assertThat(OnOutage.ALLOW.strictest(OnOutage.LOCAL)).isEqualTo(OnOutage.LOCAL);
    assertThat(OnOutage.DENY.strictest(OnOutage.LOCAL)).isEqualTo(OnOutage.DENY);
    assertThat(OnOutage.LOCAL.strictest(OnOutage.LOCAL)).isEqualTo(OnOutage.LOCAL);
    assertThat(OnOutage.LOCAL).hasToString("local");
  }

  private Charge charge(String name, long permits) {
    return new Charge(new Counter(name, limit, Subject.global()), permits);
  }
}
