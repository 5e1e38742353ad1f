package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RedactionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          redis://user:pw@host:6379/2          | redis://***@host:6379/2
          redis://:pw@host                     | redis://***@host
          redis://token@host                   | redis://***@host
          redis://u:p@w@host                   | redis://***@host
          redis://u:p w/x?y#z@host             | redis://***@host
          redis-cluster://u:pw@a,u:pw@b        | redis-cluster://***@b
          redis://host?password=pw             | redis://host?***
          uri 'redis://u:pw@host' here         | uri 'redis://***@host' here
          u:pw@host                            | ***@host
          'u:pw@host'                          | '***@host'
          u:p'w@host                           | ***@host
          a u:pw@host b                        | a ***@host b
          user:s3 cret@h                       | ***@h
          'user:s3 cret@h' here                | '***@h' here
          u:s3 c@r et@h                        | ***@h
          user:pw@redis://h                    | ***@redis://h
          user:pw@redis://h?password=pw        | ***@redis://h?***
          user:pw@redis://u:pw@h               | ***@h
          u:p://w@h                            | ***@h
          12:30 @ noon                         | ***@ noon
          redis://user:p...                    | redis://***
          redis://user:p…                      | redis://***
          """)
  void credentials_are_masked(String text, String shown) {
    assertThat(Redaction.masked(text)).isEqualTo(shown);
    assertThat(Redaction.masked(shown)).as("masked again").isEqualTo(shown);
    assertThat(Redaction.isUri(text)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "login",
        "5 per minute",
        "header:X-API-Key",
        "someone@example",
        "@RateLimited at a.B.c: x",
        "noon @ 12:30",
        "//shop.example/api/**",
        "GET,PUT /x",
        "{}",
        "$1",
      })
  void other_text_is_shown_as_it_is(String text) {
    assertThat(Redaction.masked(text)).isEqualTo(text);
    assertThat(Redaction.isUri(text)).isFalse();
  }

  @Test
  void a_uri_without_credentials_is_one() {
    assertThat(Redaction.masked("redis://host:6379")).isEqualTo("redis://host:6379");
    assertThat(Redaction.isUri("redis://host:6379")).isTrue();
  }

  @Test
  void what_a_terminal_would_not_show_is_escaped() {
    assertThat(Redaction.printable("a\nb\u2028c\u202ed é"))
        .isEqualTo("a\\u000ab\\u2028c\\u202ed é");
    assertThat(Redaction.quoted("a\nb")).isEqualTo("'a\\u000ab'");
  }

  @Test
  @Timeout(10)
  void long_text_takes_no_longer() {
    assertThat(Redaction.masked(":".repeat(1 << 20) + "@")).isEqualTo("***@");
    assertThat(Redaction.masked("@".repeat(1 << 20))).hasSize(1 << 20);
    assertThat(Redaction.masked("://".repeat(1 << 20) + "@")).isEqualTo("://***@");
  }
}
