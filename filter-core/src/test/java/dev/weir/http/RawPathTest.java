package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RawPathTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /a/b                  | /a/b
          /a/../b               | /a/../b
          /a/%2e%2E/b           | /a/../b
          /a;x=1/..;y/b;        | /a/../b
          /a;x=%2F..%2F         | /a
          /a%3Bx                | /a;x
          /a%2Fb%2fc            | /a%2Fb%2Fc
          /k%C3%A4se/k%c3%a4se  | /käse/käse
          /käse%20a+b           | /käse a+b
          /%2541                | /%41
          //a//                 | //a//
          """)
  void only_parameters_and_escapes_go(String path, String decoded) {
    assertThat(RawPath.decoded(path)).isEqualTo(decoded);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%", "/%4", "/%zz", "/%4z", "/%+1", "/%-1", "/%0x41", "/%%31", "/%4%2F"})
  void a_broken_escape_is_refused_and_not_told(String path) {
    assertThatThrownBy(() -> RawPath.decoded("/s3cret" + path))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two hexadecimal digits")
        .hasMessageNotContaining("s3cret");
  }
}
