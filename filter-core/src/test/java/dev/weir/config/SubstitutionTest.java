package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SubstitutionTest {

  private final Substitution substitution =
      new Substitution(
          new FakeEnvironment(
              Map.of("HOST", "cache", "EMPTY", "", "BOTH", "variable", "NESTED", "${HOST}"),
              Map.of("BOTH", "property", "shop.host", "db")));

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
    assertThat(substitution.apply(written)).isEqualTo(new Substitution.Result.Text(text));
  }

  @ParameterizedTest
  @CsvSource({
    "${ABSENT}, '${ABSENT}, which is not set'",
    "x${HOST, '''${HOST'''",
    "${}, '''${}'''",
    "${1A}, '''${1A}'''",
    "${HOST:other}, '''${HOST:other}'''",
    "${HO ST}, '''${HO ST}'''",
    "${ABSENT:-${HOST}, ''",
  })
  void what_cannot_be_replaced_is_told(String written, String found) {
    if (found.isEmpty()) {
      assertThat(substitution.apply(written)).isEqualTo(new Substitution.Result.Text("${HOST"));
      return;
    }
    assertThat(substitution.apply(written))
        .isInstanceOfSatisfying(
            Substitution.Result.Wrong.class, wrong -> assertThat(wrong.found()).isEqualTo(found));
  }
}
