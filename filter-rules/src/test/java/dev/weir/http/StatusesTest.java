package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which responses a text names. */
class StatusesTest {

  @Test
  void a_status_is_itself_and_a_class_is_all_of_its_hundred() {
    Statuses statuses = Statuses.parse(List.of("204", "4xx"));
    assertThat(statuses.contains(204)).isTrue();
    assertThat(statuses.contains(203)).isFalse();
    assertThat(statuses.contains(205)).isFalse();
    assertThat(statuses.contains(399)).isFalse();
    assertThat(statuses.contains(400)).isTrue();
    assertThat(statuses.contains(499)).isTrue();
    assertThat(statuses.contains(500)).isFalse();
  }

  @Test
  void all_are_all() {
    assertThat(Statuses.ALL.contains(100)).isTrue();
    assertThat(Statuses.ALL.contains(599)).isTrue();
    assertThat(Statuses.ALL.contains(799)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "40x", "4XX", "99", "600", "0401", "-401", "401,403", "٤٠١", "6xx"})
  void nothing_else_is_a_status(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Statuses.parse(List.of(text)))
        .withMessage(
            "count: '%s' (expected: a status such as 401, or a class of them such as 4xx)", text);
  }

  @Test
  void none_are_refused_for_they_would_be_all() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Statuses.parse(List.of()))
        .withMessage("count: [] (expected: at least one status, such as 401)");
  }

  @Test
  void a_range_that_holds_nothing_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Statuses.Range(404, 403))
        .withMessage("count: 404 to 403 (expected: statuses from 100 to 599)");
  }
}
