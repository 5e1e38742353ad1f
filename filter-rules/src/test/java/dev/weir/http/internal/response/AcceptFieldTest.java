package dev.weir.http.internal.response;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets a page, and who gets JSON. */
class AcceptFieldTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/html",
        "TEXT/HTML",
        "text/*",
        "text/html;q=0.1",
        "text/html, */*",
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2",
        "application/json;q=0.5, text/html;q=0.501",
        "application/json;q=0, */*",
        "application/json;q=0, application/problem+json;q=0.0, text/html;q=0.001",
        "text/html;level=1;q=1, application/json;q=0.9",
        "text/html ; Q=0.7 , application/json ; q=0.6"
      })
  void prefers_a_page(String accept) {
    assertThat(AcceptField.of(List.of(accept)).prefersHtml()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ",,,",
        "*/*",
        "application/json",
        "application/problem+json",
        "application/*",
        "application/json, text/html",
        "text/html, application/json",
        "application/json, text/plain, */*",
        "text/html;q=0.5, application/problem+json;q=0.6",
        "text/html;q=0, */*",
        "text/html;q=0",
        "image/avif,image/webp,*/*;q=0.8",
        "image/png",
        "application/vnd.github+json",
        "text/html;q=2",
        "text/html;q=high",
        "text/html;q=1.001",
        "text/html;q=-1",
        "text/html;q=",
        "texthtml",
        "text/html/x",
        "*/html",
        "te xt/html",
        ";q=1",
        "text/*;q=0.3, application/*;q=0.3"
      })
  void prefers_an_object(String accept) {
    assertThat(AcceptField.of(List.of(accept)).prefersHtml()).isFalse();
  }

  @Test
  void several_lines_are_one_list_and_none_accepts_anything() {
    assertThat(AcceptField.of(List.of("*/*;q=0.1", "text/html")).prefersHtml()).isTrue();
    assertThat(AcceptField.of(List.of()).prefersHtml()).isFalse();
  }

  @Test
  void the_most_specific_range_holds_wherever_it_stands() {
    assertThat(AcceptField.of(List.of("text/html;q=0.2, text/*, */*;q=0.1")).prefersHtml())
        .isTrue();
    assertThat(AcceptField.of(List.of("text/html;q=0.2, text/*, */*;q=0.3")).prefersHtml())
        .isFalse();
  }
}
