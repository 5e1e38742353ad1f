package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.SubjectResolver.Missing;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A subject that cannot be read is an error that names it. */
class BadSubjectsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                | ip, header:NAME, query:NAME, cookie:NAME, principal, host, path, method or global
          '  '              | ip, header:NAME
          IP                | ip, header:NAME
          addr              | ip, header:NAME
          remote-ip         | ip, header:NAME
          hostname          | ip, header:NAME
          host:x            | ip, header:NAME
          user              | ip, header:NAME
          session           | ip, header:NAME
          ip,path           | ip, header:NAME
          ip:x              | ip, header:NAME
          :x                | ip, header:NAME
          Header:X          | ip, header:NAME
          headers:X-API-Key | ip, header:NAME
          param:x           | ip, header:NAME
          header            | header:NAME, as in header:X-API-Key
          query             | query:NAME, as in query:X-API-Key
          cookie            | cookie:NAME, as in cookie:X-API-Key
          header:           | a name of letters, digits
          header:X Y        | a name of letters, digits
          'header: X-Key'   | a name of letters, digits
          header:X:Y        | a name of letters, digits
          header:X,Y        | a name of letters, digits
          header:X(Y)       | a name of letters, digits
          header:"X"        | a name of letters, digits
          header:Schlüssel  | a name of letters, digits
          header:X/Y        | a name of letters, digits
          header:{X}        | a name of letters, digits
          cookie:           | a name of letters, digits
          cookie:a=b        | a name of letters, digits
          cookie:a;b        | a name of letters, digits
          query:            | the name of a query parameter
          """)
  void names_what_was_found_and_what_was_expected(String subject, String expectation) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubjectResolver.of(subject))
        .withMessageStartingWith("subject: '" + subject + "' (expected: ")
        .withMessageContaining(expectation);
  }

  @Test
  void what_looks_like_credentials_is_masked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubjectResolver.of("header:X@Y"))
        .withMessageStartingWith("subject: '***@Y' (expected: a name of letters, digits");
  }

  @ParameterizedTest
  @ValueSource(strings = {"header:X\r\nY", "query:\0", "cookie:\n", "a\nb"})
  void control_characters_are_refused_and_cannot_forge_a_line_of_a_log(String subject) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubjectResolver.of(subject))
        .withMessageStartingWith("subject: '")
        .extracting(Throwable::toString)
        .satisfies(text -> assertThat(text.chars().noneMatch(Character::isISOControl)).isTrue());
  }

  @Test
  void a_subject_has_parts_each_once_and_global_alone() {
    assertThatIllegalArgumentException()
        .isThrownBy(SubjectResolver::of)
        .withMessage("subject: [] (expected: at least one part, such as ip)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubjectResolver.of("ip", "path", "ip"))
        .withMessage("subject: ip (expected: each part once)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubjectResolver.of("header:X-Key", "header:x-key"))
        .withMessage("subject: header:x-key (expected: each part once)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubjectResolver.of("global", "ip"))
        .withMessageContaining("global alone");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubjectResolver.of("ip").and(SubjectResolver.of("ip")))
        .withMessage("subject: ip (expected: each part once)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubjectResolver.of(" ", request -> Optional.empty(), Missing.IP))
        .withMessage("name: ' ' (expected: a name that is not blank)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ip",
        " ip ",
        "header:X-API-Key",
        "header:!#$%&'*+-.^_`|~9",
        "query:a b",
        "query:ключ"
      })
  void what_may_stand_in_a_request_may_stand_in_a_subject(String subject) {
    assertThat(SubjectResolver.parse(List.of(subject))).isNotNull();
  }
}
