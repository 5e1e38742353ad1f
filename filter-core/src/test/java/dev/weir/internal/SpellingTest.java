package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

  private static final List<String> WORDS =
      List.of("subject", "limits", "match", "on-outage", "cost", "ip");

  @ParameterizedTest
  @CsvSource({
    "sujbect, subject", "subjct, subject", "Subject, subject", "limit, limits",
    "on_outage, on-outage", "onoutage, on-outage", "COST, cost", "pi, ip"
  })
  void the_nearest_word_is_found(String wrong, String right) {
    assertThat(Spelling.nearest(wrong, WORDS)).contains(right);
  }

  @ParameterizedTest
  @CsvSource({"banana", "x", "subway"})
  void a_word_near_to_none_has_no_suggestion(String wrong) {
    assertThat(Spelling.nearest(wrong, WORDS)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"ab, ba, 1", "abc, abc, 0", "kitten, sitting, 3", "'', abc, 3", "abc, '', 3"})
  void a_swap_of_neighbours_counts_once(String from, String to, int distance) {
    assertThat(Spelling.distance(from, to)).isEqualTo(distance);
  }

  @Test
  void a_word_of_a_mebibyte_is_not_compared() {
    assertThat(Spelling.nearest("x".repeat(1 << 20), WORDS)).isEmpty();
  }
}
