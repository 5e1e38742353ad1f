package dev.weir.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.http.RequestMatcher.MatchOptions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A pattern that cannot mean what it says is an error that names it. */
class BadPatternsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = true,
      textBlock =
          """
          ''                  | a pattern such as
          '   '               | a pattern such as
          login               | a path that starts with '/'
          POST login          | a path that starts with '/'
          POST                | a path that starts with '/'
          **                  | a path that starts with '/'
          http://shop.example | a path that starts with '/', after methods and a blank
          GET/x               | a path that starts with '/', after methods and a blank
          api/v1              | a path that starts with '/', after methods and a blank
          get /x              | registered HTTP methods in upper case, as in 'GET,PUT /x', but found 'get'
          PSOT /x             | found 'PSOT'
          GET,,PUT /x         | found ''
          GET, /x             | found ''
          ,GET /x             | found ''
          GET PUT /x          | found 'GET PUT'
          GET;PUT /x          | found 'GET;PUT'
          * /x                | found '*'
          any /x              | found 'any'
          /a/**/**/b          | one '**' instead of '**/**'
          /**/**              | one '**' instead of '**/**'
          /**/                | no '/' after '**' at the end
          /a/**/b/**/         | no '/' after '**' at the end
          /**/a/**/b/**/c/**/d/**/e | '**' at most 4 times
          *.do/x              | a path that starts with '/', after methods and a blank
          *.do/               | a path that starts with '/', after methods and a blank
          login*.do           | a path that starts with '/', after methods and a blank
          post *.do           | registered HTTP methods in upper case
          *do                 | a path that starts with '/', as in '/login' or 'POST /login', or '*.do'
          *                   | a path that starts with '/'
          *.                  | '*' alone in its segment, as in '/a/*/b', or before the extension, as in '*.do'
          *.*                 | '*' alone in its segment
          *.tar.gz            | one dot after '*', as in '*.gz': the extension follows the last dot
          *.x%2Egz            | one dot after '*'
          *.do?x              | a path without a query string
          *.do;jsessionid=1   | a path without ';' parameters
          *.{ext}             | a template '{name}' that is a whole segment
          '*.(css|js)'        | a list with a pattern for each alternative
          *.[ch]              | '{name}' or '*' for a segment that varies
          /*.do/x             | '*.do' as the last segment only
          /*.do/**            | '*.do' as the last segment only
          /a/*.do/            | '*.do' as the last segment only
          /**/a*.do           | '*' alone in its segment
          /a/***              | '*' alone in its segment
          /a*/b               | '*' alone in its segment
          /a/**b              | '*' alone in its segment
          /a//b               | no empty segment
          /a//                | no empty segment
          //shop.example      | a path after the host
          //                  | a path after the host
          ///x                | a host name without a port
          //shop.example:80/x | a host name without a port
          //u@shop.example/x  | a host name without a port
          //*/x               | a host name without a port
          //*.*.example/x     | a host name without a port
          //shop..example/x   | a host name without a port
          //.example/x        | a host name without a port
          //shop.example./x   | a host name without a port
          //shöp.example/x    | a host name without a port
          //[::1]/x           | a host name without a port
          /a/./b              | no '.' or '..' segment
          /a/../b             | no '.' or '..' segment
          /..                 | no '.' or '..' segment
          /a/{id              | a template '{name}' that is a whole segment
          /a/id}              | a template '{name}' that is a whole segment
          /a/{}               | a template '{name}' that is a whole segment
          /a/{id}.json        | a template '{name}' that is a whole segment
          /a/x{id}            | a template '{name}' that is a whole segment
          /a/{id:[0-9]+}      | a template '{name}' that is a whole segment
          /a/{{id}}           | a template '{name}' that is a whole segment
          /a/{i d}            | a path without blanks
          /a?b=c              | a path without a query string
          /a#b                | a path without a fragment
          /a;b=c              | a path without ';' parameters
          /a%2Fb              | no '%2F', for a segment has no slash
          /a%2fb              | no '%2F', for a segment has no slash
          /100%               | two hexadecimal digits after '%', as in '/my%20docs'; '%25' is '%' itself
          /a%2                | two hexadecimal digits after '%'
          /a%zz               | two hexadecimal digits after '%'
          /a%2/b              | two hexadecimal digits after '%'
          /caf%E9             | characters in UTF-8, as in '/caf%C3%A9' or '/café'
          /a%C0%AFb           | characters in UTF-8
          /a%ED%A0%80b        | characters in UTF-8
          /a%00b              | a path without control characters
          /a%0D%0Ab           | a path without control characters
          /a/%2E%2E/b         | no '.' or '..' segment
          /a/.%2e             | no '.' or '..' segment
          /a/%2e              | no '.' or '..' segment
          /a/{i%20d}          | a template '{name}' that is a whole segment
          '/a\\b'             | '/' between segments
          /a b                | a path without blanks: '%20' is one, as in '/my%20docs'
          '/(a|b)'            | a list with a pattern for each alternative, as in [/a, /b], not '|'
          '/a|/b'             | a list with a pattern for each alternative
          /api/v[12]          | '{name}' or '*' for a segment that varies
          /api/[0-9]          | '{name}' or '*' for a segment that varies
          /api/x]             | '{name}' or '*' for a segment that varies
          /users/<id>         | '{name}' or '*' for a segment that varies, as in '/users/{id}', not '<name>'
          /users/<int:id>/x   | not '<name>'
          """)
  void names_the_field_the_pattern_and_what_was_expected(String pattern, String expectation) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RequestMatcher.of(pattern))
        .withMessageStartingWith("match: '" + pattern + "' (expected: ")
        .withMessageContaining(expectation);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rules.except("/**", pattern))
        .withMessageStartingWith("except: '" + pattern + "' (expected: ")
        .withMessageContaining(expectation);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a\nb", "/a\rb", "/a\0b", "/a\tb", "/a\u0085b"})
  void control_characters_are_refused_and_cannot_forge_a_line_of_a_log(String pattern) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RequestMatcher.of(pattern))
        .withMessageContaining("(expected: a path without blanks or control characters)")
        .extracting(Throwable::toString)
        .satisfies(text -> assertThat(text.chars().noneMatch(Character::isISOControl)).isTrue());
  }

  @Test
  void an_exception_has_no_host_or_a_client_could_lift_the_rule_by_naming_it() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Rules.except("/**", "//health.example/**"))
        .withMessageStartingWith("except: '//health.example/**' (expected: no host: ");
  }

  @Test
  void nothing_to_match_is_an_error() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RequestMatcher.parse(List.of(), List.of(), MatchOptions.DEFAULT))
        .withMessage("match: [] (expected: at least one pattern, such as '/**')");
  }
}
