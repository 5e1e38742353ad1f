package dev.weir.http.internal.response;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.ResponseStyle;
import dev.weir.http.spi.Outcome.Field;
import dev.weir.limit.Limit;
import dev.weir.store.Counter;
import dev.weir.store.Decision.Retry;
import dev.weir.store.Decision.Verdict;
import dev.weir.store.Subject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The two fields of the draft, read back by a parser of Structured Fields that is not ours. */
class IetfDraft11Test {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          100 per second                        | 100             | 1
          100 per second, burst 300             | 300             | 3
          100 per second, burst 301             | 301             | 4
          3 per second, burst 10                | 10              | 4
          5 per minute                          | 5               | 60
          1 per 30 days                         | 1               | 2592000
          1000 per second, burst 1              | 1               | 1
          1 per 100ms                           | 1               | 1
          10 per 10s window                     | 10              | 10
          10 per 1500ms window                  | 10              | 2
          10 per 1us window                     | 10              | 1
          7 per second window UTC               | 7               | 1
          7 per minute window UTC               | 7               | 60
          7 per hour window UTC                 | 7               | 3600
          7 per day window Europe/Berlin        | 7               | 86400
          7 per week window UTC                 | 7               | 604800
          7 per month window UTC                | 7               | 2678400
          9007199254740991 per 30 days window   | 999999999999999 | 2592000
          """)
  void a_policy_is_the_quota_and_the_window(String limit, long quota, long windowSeconds) {
    StringItem policy = only(policy(List.of(verdict("name", limit, 0))));
    assertThat(policy.get()).isEqualTo("name");
    assertThat(policy.getParams().keySet()).containsExactly("q", "w");
    assertThat(number(policy, "q")).isEqualTo(quota);
    assertThat(number(policy, "w")).isEqualTo(windowSeconds);
  }

  @Test
  void each_limit_is_listed_once_in_order() {
    Field field =
        policy(List.of(verdict("b", "5/s", 1), verdict("a", "6/s", 1), verdict("b", "5/s", 4)));
    assertThat(field.name()).isEqualTo("RateLimit-Policy");
    assertThat(field.value()).isEqualTo("\"b\";q=5;w=1, \"a\";q=6;w=1");
  }

  @Test
  void the_limit_is_what_remains_and_until_when() {
    Field field = IetfDraft11.limit(verdict("api", "5/s", 3), OptionalLong.of(7));
    assertThat(field).isEqualTo(new Field("RateLimit", "\"api\";r=3;t=7"));
    StringItem limit = only(field);
    assertThat(number(limit, "r")).isEqualTo(3);
    assertThat(number(limit, "t")).isEqualTo(7);
  }

  @Test
  void where_no_waiting_helps_there_is_no_time() {
    StringItem limit = only(IetfDraft11.limit(verdict("api", "5/s", 3), OptionalLong.empty()));
    assertThat(limit.getParams().keySet()).containsExactly("r");
  }

  @Test
  void every_name_that_a_counter_may_have_reads_back() {
    for (int c : IntStream.rangeClosed(' ', '~').toArray()) {
      if ("\"\\{}".indexOf(c) < 0) {
        String name = "a" + (char) c + "b";
        assertThat(only(IetfDraft11.limit(verdict(name, "5/s", 1), OptionalLong.of(0))).get())
            .isEqualTo(name);
      }
    }
  }

  @Test
  void integers_stay_within_fifteen_digits() {
    String limit = "9007199254740991 per 30 days window";
    StringItem item =
        only(IetfDraft11.limit(verdict("a", limit, Long.MAX_VALUE), OptionalLong.of(-1)));
    assertThat(number(item, "r")).isEqualTo(999_999_999_999_999L);
    assertThat(number(item, "t")).isZero();
  }

  private static Field policy(List<Verdict> verdicts) {
    return new Policies(ResponseStyle.Fields.DRAFT_11).of(verdicts, verdicts.get(0)).orElseThrow();
  }

  private static Verdict verdict(String name, String limit, long remaining) {
    Counter counter = new Counter(name, Limit.parse(limit), Subject.global());
    return new Verdict(counter, remaining, Retry.NOW, Duration.ZERO);
  }

  private static StringItem only(Field field) {
    List<ListElement<?>> list = Parser.parseList(field.value()).get();
    assertThat(list).hasSize(1);
    return (StringItem) list.get(0);
  }

  private static long number(StringItem item, String parameter) {
    return (Long) Objects.requireNonNull(item.getParams().get(parameter)).get();
  }
}
