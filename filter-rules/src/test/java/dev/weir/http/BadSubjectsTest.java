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
          ''                | ip, header:NAME, query:NAME, cookie:NAME, path:NAME, attribute:NAME, session:NAME, principal, basic-user, host, path, method, global, or a class
          '  '              | ip, header:NAME
          IP                | ip, header:NAME
          addr              | ip, header:NAME
          remote-ip         | ip, header:NAME
          hostname          | ip, header:NAME
          host:x            | ip, header:NAME
          user              | ip, header:NAME
          jwt:sub           | or a class
          basic-user:x      | ip, header:NAME
          session           | session:NAME, as in session:tenant
          attribute         | attribute:NAME, as in attribute:tenant
          'session: '       | the name of an attribute
          'attribute:'      | the name of an attribute
          'path:'           | a variable of the pattern, as in path:id for /orders/{id}
          path:{id}         | a variable of the pattern
          path:a/b          | a variable of the pattern
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

  @Test
  void a_variable_is_in_each_pattern() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Rule.builder("orders")
                    .match("/orders/{id}", "/orders/*/items")
                    .subject("path:id")
                    .limit("1 per second")
                    .build())
        .withMessage(
            "subject: 'path:id' (expected: a variable {id} in each pattern of match, not between two"
                + " '**', but '/orders/*/items' has none)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rule.builder("bound").subject("path:id").limit("1 per second").build())
        .withMessage("subject: 'path:id' (expected: a pattern with {id} in match)");
  }

  @Test
  void a_key_has_two_to_four_places() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubjectResolver.firstOf(List.of("header:X", "ip"), Missing.IP))
        .withMessage("first-of: 'ip' (expected: header:NAME, query:NAME or cookie:NAME)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubjectResolver.firstOf(List.of("header:X", "header:x"), Missing.IP))
        .withMessage("first-of: [header:X, header:x] (expected: two to four places, each once)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SubjectResolver.firstOf(List.of("header:X", "basic-user"), Missing.IP))
        .withMessageStartingWith("first-of: 'basic-user'");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> SubjectResolver.firstOf(List.of("header:X", "header:x", "query:k"), Missing.IP))
        .withMessageContaining("each once");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ip",
        " ip ",
        "path:order-id",
        "attribute:com.example.tenant",
        "session:user",
        "basic-user",
        "basic-user:any-ip",
        "header:X-API-Key",
        "header:!#$%&'*+-.^_`|~9",
        "query:a b",
        "query:ключ"
      })
  void what_may_stand_in_a_request_may_stand_in_a_subject(String subject) {
    assertThat(SubjectResolver.parse(List.of(subject))).isNotNull();
  }
}
