package dev.weir.config.internal.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.Complaints;
import dev.weir.config.ConfigurationException.Problem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class YamlReaderTest {

  @Test
  void nodes_know_where_they_stand() {
    Node.Mapping root = (Node.Mapping) read("limits:\n  login: 5 per minute\n");
    Node.Mapping limits = (Node.Mapping) root.entries().get(0).value();
    Node.Entry login = limits.entries().get(0);
    assertThat(login.key()).isEqualTo(new Node.Scalar(new Node.Place(2, 3), "login", false));
    assertThat(login.value())
        .isEqualTo(new Node.Scalar(new Node.Place(2, 10), "5 per minute", false));
  }

  @Test
  void an_alias_stands_for_what_its_anchor_names() {
    Node.Mapping root = (Node.Mapping) read("a: &x [1]\nb: *x\n");
    assertThat(root.entries().get(1).value()).isEqualTo(root.entries().get(0).value());
  }

  @Test
  void a_value_that_contains_itself_is_refused() {
    assertRefused("a: &x [*x]", 1, 8, "an alias", "an anchor that is complete before its alias");
  }

  @Test
  void an_alias_without_anchor_is_refused() {
    assertRefused("a: *y", 1, 4, "an alias", "an anchor that is complete before its alias");
  }

  @Test
  void a_pattern_that_begins_like_an_alias_wants_quotes() {
    String quotes = "quotes around what begins with *, as in '*.do'";
    assertRefused("match: *.do", 1, 9, "character '.'", quotes);
    assertRefused("except: [/a, *.css]", 1, 15, "character '.'", quotes);
    assertRefused("match: */x", 1, 9, "character '/'", quotes);
  }

  @Test
  @Timeout(10)
  void a_billion_laughs_are_refused() {
    StringBuilder laughs = new StringBuilder("a0: &a0 [lol]\n");
    for (int i = 1; i < 14; i++) {
      String last = "*a" + (i - 1);
      String nine = String.join(", ", List.of(last, last, last, last, last, last, last, last));
      laughs.append("a").append(i).append(": &a").append(i).append(" [").append(nine);
      laughs.append("]\n");
    }
    assertThat(refused(laughs.toString()).found()).isEqualTo("too many values");
  }

  @Test
  @Timeout(10)
  void deep_nesting_is_refused_without_deep_recursion() {
    assertRefused("[".repeat(500_000), 1, 17, "nesting", "at most 16 levels");
    assertRefused("a: " + "{b: ".repeat(100_000), 1, 64, "nesting", "at most 16 levels");
    assertThat(refused("- ".repeat(100_000)).found()).isEqualTo("nesting");
  }

  @Test
  void two_documents_are_refused() {
    assertRefused("a: 1\n---\nb: 2\n", 2, 1, "a second document", "one document in the file");
  }

  @Test
  void an_empty_document_is_refused() {
    assertThat(refused("# nothing but a comment\n").found()).isEqualTo("nothing");
  }

  @Test
  void tags_are_refused_so_that_no_class_is_ever_named() {
    assertThat(refused("a: !!javax.script.ScriptEngineManager [x]").found()).isEqualTo("a tag");
    assertThat(refused("a: !!int 3").found()).isEqualTo("a tag");
    assertThat(refused("a: !local {}").found()).isEqualTo("a tag");
  }

  @Test
  void a_tab_is_called_a_tab() {
    assertRefused(
        "limits:\n\tlogin: 5 per minute\n",
        2,
        1,
        "character '\\u0009'",
        "spaces, since YAML is not indented with tabs");
  }

  @Test
  void a_reference_that_lacks_its_quotes_is_told_so() {
    assertRefused(
        "redis: { uri: ${REDIS} }",
        1,
        16,
        "character '{'",
        "\"${…}\" in quotes inside { } and [ ]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a: { match: /users/{id}, b: c }   | 20
          a: { match: GET /users/{id} }     | 24
          a: [/users/{id}]                  | 12
          a: [/x, /users/{id}/posts/{post}] | 16
          """)
  void a_template_that_lacks_its_quotes_is_told_so(String text, int column) {
    assertRefused(
        text,
        1,
        column,
        "character '{'",
        "quotes around what has { } in it, inside { } and [ ], as in \"/users/{id}\"");
  }

  @Test
  void broken_text_is_told_where_it_breaks() {
    assertThat(refused("a: b: c\n").column()).isEqualTo(5);
    assertThat(refused("a: 1\n b: 2\n").line()).isEqualTo(2);
    assertThat(refused("a: }\n").found()).isEqualTo("character '}'");
    assertThat(refused("%YAML 9.9\n---\na: 1\n").expected()).contains("YAML");
    assertThat(refused("a: @x").found()).isEqualTo("character '@'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          a: [1, 2⏎b: 3⏎                                    | 1 | 4  | [ | ] before line 2, column 2
          a: 'open⏎                                         | 1 | 4  | ' | ' before line 2, column 1
          a: "open                                          | 1 | 4  | " | " before line 1, column 9
          x: 1⏎a: "5 per minute⏎b: 6⏎c: 7⏎                  | 2 | 4  | " | " before line 5, column 1
          a: "5 per minute⏎b: "6 per minute"⏎               | 1 | 4  | " | " before line 2, column 5
          a: '5 per minute⏎b: '6 per minute'⏎               | 1 | 4  | ' | ' before line 2, column 5
          r:⏎  - { n: r, l: a⏎  - { n: s, l: b }⏎           | 2 | 5  | { | } before line 3, column 5
          r:⏎  - { n: r, l: a }⏎  - { n: s, l: b⏎           | 3 | 5  | { | } before line 4, column 1
          r:⏎  - { n: r, l: "a }⏎  - { n: s, l: "b" }⏎      | 2 | 16 | " | " before line 3, column 17
          l: { a: 1,⏎  b: 2⏎c: 3⏎                           | 1 | 4  | { | } before line 3, column 2
          rules: [                                          | 1 | 8  | [ | ] before line 1, column 9
          limits: [a,                                       | 1 | 9  | [ | ] before line 1, column 12
          redis: {                                          | 1 | 8  | { | } before line 1, column 9
          { a:                                              | 1 | 1  | { | } before line 1, column 5
          l: [a,⏎  {⏎                                       | 2 | 3  | { | } before line 3, column 1
          l: &x [a, # more⏎                                 | 1 | 7  | [ | ] before line 2, column 1
          l: [{ a: 1 },⏎                                    | 1 | 4  | [ | ] before line 2, column 1
          l: [a,⏎  }                                        | 1 | 4  | [ | ] before line 2, column 3
          """)
  void what_is_not_closed_is_told_where_it_opens(
      String text, int line, int column, String loader, String expected) {
    assertRefused(
        text.replace('⏎', '\n'), line, column, "a " + loader + " that is not closed", expected);
  }

  @Test
  void no_message_quotes_the_line_around() {
    String broken = "redis: { uri: u, secret: \"s3cr3t-s3cr3t\" ]\n";
    assertThat(refused(broken).toString()).doesNotContain("s3cr3t");
  }

  private static Node read(String text) {
    return YamlReader.read("weir.yaml", text);
  }

  private static Problem refused(String text) {
    return Complaints.only(() -> read(text));
  }

  private static void assertRefused(
      String text, int line, int column, String found, String expected) {
    Problem problem = refused(text);
    assertThat(problem.found()).isEqualTo(found);
    assertThat(problem.expected()).isEqualTo(expected);
    assertThat(problem.line()).as("line").isEqualTo(line);
    assertThat(problem.column()).as("column").isEqualTo(column);
  }
}
