package dev.weir.config.internal.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.FakeVariables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubstitutionTest {

  private final Variables variables =
      FakeVariables.of(
          Map.of("HOST", "cache", "EMPTY", "", "BOTH", "variable", "NESTED", "${HOST}"),
          Map.of("BOTH", "property", "shop.host", "db"));

  private final List<String> problem = new ArrayList<>();

  private Optional<String> substituted(String written) {
    return variables.substituted(
        written, reference -> false, (found, expected) -> problem.addAll(List.of(found, expected)));
  }

  @ParameterizedTest
  @CsvSource({
    "plain, plain",
    "${HOST}, cache",
    "redis://${HOST}:6379, redis://cache:6379",
    "${HOST}${HOST}, cachecache",
    "${ABSENT:-other}, other",
    "${ABSENT:-}, ''",
    "${ABSENT:-redis://a:1/0}, redis://a:1/0",
    "${HOST:-other}, cache",
    "${EMPTY}, ''",
    "${EMPTY:-other}, other",
    "${shop.host}, db",
    "${BOTH}, variable",
    "${NESTED}, ${HOST}",
    "$${HOST}, ${HOST}",
    "a$${HOST}b${HOST}, a${HOST}bcache",
    "$HOST, $HOST",
    "100$, 100$",
  })
  void references_are_replaced_once(String written, String text) {
    assertThat(substituted(written)).contains(text);
    assertThat(problem).isEmpty();
  }

  @Test
  void an_unset_variable_is_named() {
    assertThat(substituted("s3cr3t${ABSENT}")).isEmpty();
    assertThat(problem)
        .containsExactly(
            "${ABSENT}, which is not set",
            "a variable of the environment or a system property, or a default:"
                + " ${ABSENT:-default}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x${HOST",
        "${}",
        "${1A}",
        "${HOST:other}",
        "${HO ST}",
        "${HÖST}",
        "s3cr3t${:-a}s3cr3t"
      })
  void what_is_no_reference_is_told_without_the_text_around(String written) {
    assertThat(substituted(written)).isEmpty();
    assertThat(problem)
        .containsExactly(
            "a '${' that begins no reference", "${NAME} or ${NAME:-default}, or $${ for the text");
  }

  @Test
  void a_default_ends_at_the_first_brace() {
    assertThat(substituted("${ABSENT:-${HOST}")).contains("${HOST");
  }
}
