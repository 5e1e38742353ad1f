package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** As Tomcat reads queries. */
class RawQueryTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          k=a                | a
          x=1&k=a&y          | a
          k=a&k=b            | a,b
          &&k=a&             | a
          =x&k=a             | a
          %6b=a              | a
          k=a%20b+c          | a b c
          k=%C3%A4           | ä
          k=a=b              | a=b
          k=a;k=b            | a;k=b
          """)
  void values_are_those_that_a_container_tells(String query, String values) {
    assertThat(RawQuery.values(query, "k")).isEqualTo(List.of(values.split(",", -1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%zz", "%+1", "%-1", "%4", "%", "%u0041", "%%31", "%0x1", "%1 "})
  void a_pair_with_a_broken_escape_is_none(String broken) {
    assertThat(RawQuery.values("k=" + broken + "&k=real", "k")).containsExactly("real");
    assertThat(RawQuery.values(broken + "=1&k=real&k" + broken + "=2", "k"))
        .containsExactly("real");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&", "=", "K=a", "kk=a", "%20k=a", "k%00=a"})
  void other_names_are_others(String query) {
    assertThat(RawQuery.values(query, "k")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"k", "k=", "k&x=1"})
  void a_name_alone_has_an_empty_value(String query) {
    assertThat(RawQuery.values(query, "k")).containsExactly("");
  }
}
