package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.internal.store.CounterKeys;
import dev.weir.internal.store.CounterKeys.CounterKey;
import dev.weir.limit.Limit;
import dev.weir.store.Counter;
import dev.weir.store.Subject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** No two counters are taken for one, whatever clients send. */
class CounterKeysTest {

  private final CounterKeys keys = new CounterKeys();

  private CounterKey key(String name, Subject subject) {
    return keys.of(new Counter(name, Limit.parse("5 per day"), subject));
  }

  /** All of one hash: {@code Aa} and {@code BB} have the same. */
  private static List<String> ofOneHash(int doublings) {
    List<String> texts = List.of("");
    for (int i = 0; i < doublings; i++) {
      List<String> longer = new ArrayList<>();
      for (String text : texts) {
        longer.add(text + "Aa");
        longer.add(text + "BB");
      }
      texts = longer;
    }
    return texts;
  }

  @Test
  void subjects_of_one_hash_are_told_apart() {
    List<String> values = ofOneHash(10);
    assertThat(values.stream().map(String::hashCode).distinct()).hasSize(1);
    Map<CounterKey, String> map = new HashMap<>();
    for (String value : values) {
      map.put(key("limit", Subject.of("user", value)), value);
    }
    assertThat(map).hasSize(values.size());
    for (String value : values) {
      assertThat(map).containsEntry(key("limit", Subject.of("user", value)), value);
    }
  }

  @Test
  void keys_are_in_one_order_and_equal_where_that_says_so() {
    List<CounterKey> all = new ArrayList<>();
    for (String name : List.of("Aa", "BB")) {
      for (String value : ofOneHash(2)) {
        all.add(key(name, Subject.of("Aa", value)));
        all.add(key(name, Subject.of("BB", value)));
        Subject.Part part = new Subject.Part("Aa", value);
        all.add(key(name, new Subject(List.of(part, part))));
      }
    }
    for (CounterKey one : all) {
      for (CounterKey other : all) {
        assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
        assertThat(Integer.signum(one.compareTo(other)))
            .isEqualTo(-Integer.signum(other.compareTo(one)));
      }
    }
    assertThat(all).doesNotHaveDuplicates();
  }

  @Test
  void long_subjects_are_told_apart_and_found_again() {
    String prefix = "x".repeat(10_000);
    CounterKey one = key("limit", Subject.of("user", prefix + "1"));
    assertThat(one).isEqualTo(key("limit", Subject.of("user", prefix + "1")));
    assertThat(one).isNotEqualTo(key("limit", Subject.of("user", prefix + "2")));
    assertThat(one).isNotEqualTo(key("limit", Subject.of("tenant", prefix + "1")));
    assertThat(one).isNotEqualTo(key("other", Subject.of("user", prefix + "1")));
  }

  @Test
  void long_subjects_of_lone_surrogates_are_told_apart() {
    String prefix = "x".repeat(200);
    List<CounterKey> all =
        List.of("\uD800", "\uD801", "\uDC00", "\uFFFD", "?").stream()
            .map(last -> key("limit", Subject.of("user", prefix + last)))
            .toList();
    assertThat(all).doesNotHaveDuplicates();
  }

  @Test
  void parts_of_long_subjects_are_told_apart() {
    String half = "x".repeat(100);
    Subject one = new Subject(List.of(new Subject.Part("a", half), new Subject.Part("a", half)));
    Subject other =
        new Subject(List.of(new Subject.Part("a", half + "a"), new Subject.Part("x", half)));
    assertThat(key("limit", one)).isNotEqualTo(key("limit", other));
    assertThat(key("limit", one)).isNotEqualTo(key("limit", Subject.of("a", half + "a" + half)));
  }

  /**
   * Other instances have another digest of the same subject. So a client that sends a digest names
   * no counter.
   */
  @Test
  void the_digest_of_a_long_subject_is_nobody_elses_subject() {
    Subject longer = Subject.of("user", "x".repeat(10_000));
    Counter counter = new Counter("limit", Limit.parse("5 per day"), longer);
    assertThat(new CounterKeys().of(counter)).isNotEqualTo(keys.of(counter));
  }

  @Test
  void the_overflow_is_no_subjects_counter() {
    assertThat(keys.ofOverflow("limit")).isNotEqualTo(key("limit", Subject.of("overflow", "")));
    assertThat(keys.ofOverflow("limit")).isEqualTo(keys.ofOverflow("limit"));
    assertThat(keys.ofOverflow("limit")).isNotEqualTo(keys.ofOverflow("other"));
  }
}
