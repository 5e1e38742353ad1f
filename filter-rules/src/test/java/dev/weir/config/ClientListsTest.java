package dev.weir.config;

import static dev.weir.config.BadCase.bad;
import static dev.weir.config.BadCase.rule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.config.ConfigurationException.Problem;
import dev.weir.http.ClientPolicy.KeyDigest;
import dev.weir.http.FakeRequest;
import dev.weir.http.RequestCounts.Decisions;
import dev.weir.http.RuleListener.RuleOutcome;
import dev.weir.http.spi.Outcome;
import dev.weir.store.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lists of clients in a file, and in other files next to it. */
class ClientListsTest {

  private static final String SECRET = "sk_live_0123456789";

  @Test
  void lists_are_networks_and_keys() {
    String yaml =
        """
        rules:
          - name: api
            match: /**
            limits: 1 per hour
            allow: [10.0.0.0/8, { key: header:X-API-Key, sha256: [%s] }]
            deny: 192.0.2.66
        """
            .formatted(KeyDigest.of(SECRET).hex());
    try (Weir weir = Weir.open(Weirs.webInf(yaml, Weirs.application()))) {
      assertThat(Weirs.passing(weir, 3, () -> FakeRequest.get("/").from("10.1.2.3"))).isEqualTo(3);
      assertThat(Weirs.passing(weir, 3, () -> FakeRequest.get("/").header("X-API-Key", SECRET)))
          .isEqualTo(3);
      assertThat(Weirs.passing(weir, 3, () -> FakeRequest.get("/"))).isEqualTo(1);
      assertThat(Weirs.passes(weir, FakeRequest.get("/").from("192.0.2.66"))).isFalse();
      assertThat(weir.status().decisions())
          .containsExactly(
              new Decisions("api", RuleOutcome.ALLOWED, Optional.of(Source.LOCAL), 1),
              new Decisions("api", RuleOutcome.ALLOWED, Optional.empty(), 6),
              new Decisions("api", RuleOutcome.DENIED, Optional.of(Source.LOCAL), 2),
              new Decisions("api", RuleOutcome.DENIED, Optional.empty(), 1));
      assertThat(weir.status().toString() + weir.rules()).doesNotContain(SECRET);
    }
  }

  @Test
  void init_params_list_networks() {
    Map<String, String> params =
        Map.of("limit", "1 per hour", "allow", "10.0.0.0/8, 2001:db8::/32", "deny", "192.0.2.66");
    try (Weir weir = Weir.open(Weirs.initParams(Weirs.application(), params))) {
      assertThat(Weirs.passing(weir, 3, () -> FakeRequest.get("/").from("2001:db8:7::1")))
          .isEqualTo(3);
      assertThat(weir.limiter().limit(FakeRequest.get("/").from("192.0.2.66")))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class, refused -> assertThat(refused.status()).isEqualTo(403));
    }
    Problem problem = Complaints.only(() -> Weirs.settings(Map.of("limit", "1/s", "deny", "10.0")));
    assertThat(problem.field()).isEqualTo("init-param 'deny'");
  }

  @Test
  void keys_may_stand_in_a_file(@TempDir Path directory) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("keys"),
            "# partners\r\n\r\n%s # the first\n  %s\n"
                .formatted(KeyDigest.of("one").hex(), KeyDigest.of("two").hex()));
    try (Weir weir = Weir.open(Weirs.webInf(denying(file), Weirs.application()))) {
      for (String key : List.of("one", "two")) {
        assertThat(Weirs.passes(weir, FakeRequest.get("/").header("X-API-Key", key))).isFalse();
      }
      assertThat(Weirs.passes(weir, FakeRequest.get("/").header("X-API-Key", "three"))).isTrue();
    }
  }

  @Test
  void every_line_of_a_file_that_is_wrong_is_told_and_none_is_shown(@TempDir Path directory)
      throws IOException {
    String right = KeyDigest.of("one").hex();
    Path file =
        Files.writeString(
            directory.resolve("keys"),
            String.join("\n", right, SECRET, "# fine", right + " pro", right + "0"));
    List<Problem> problems = Complaints.of(() -> Weirs.settings(denying(file)));
    assertThat(problems)
        .extracting(Problem::found)
        .allMatch(found -> found.endsWith(" of '" + file + "'"))
        .extracting(found -> found.substring(0, 6))
        .containsExactly("line 2", "line 4", "line 5");
    assertThat(problems.toString()).doesNotContain(SECRET).doesNotContain(right);
    assertThat(problems.get(0).field()).isEqualTo("rules[0].deny.file");
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void is_refused(BadCase wrong) {
    wrong.verifyFile(FakeVariables.EMPTY);
  }

  static Stream<BadCase> mistakes() {
    return Stream.of(
        list("allow: »10.0.0.1/8", "allow", "'10.0.0.1/8'", "10.0.0.0/8, or the address alone"),
        list(
            "allow: [10.0.0.0/8, »0.0.0.0/0]",
            "allow[1]",
            "'0.0.0.0/0'",
            "excludes some addresses"),
        list("deny: »[]", "deny", "an empty list", "a network such as"),
        list("deny: »''", "deny", "nothing", "a network such as"),
        list("deny: »" + SECRET, "deny", "a value that is not shown", "a network such as"),
        list(
            "deny: { key: header:X, sha256: " + digest() + ", »path: a }",
            "deny.path",
            "'path'",
            "one of key, sha"),
        list("deny: »{ key: header:X }", "deny.sha256", "nothing", "or else a file of them"),
        list(
            "deny: { key: header:X, file: »'classpath:no' }", "deny.file", "'classpath:no'", "exi"),
        list("deny: »{ sha256: " + digest() + " }", "deny.key", "nothing", "the place of the key"),
        list("deny: { key: »ip, sha256: " + digest() + " }", "deny.key", "'ip'", "cookie:"),
        list(
            "deny: { key: header:X, sha256: »" + SECRET + " }",
            "deny.sha256",
            "something else",
            "64"),
        list("allow: { key: header:X, file: »/no/such }", "allow.file", "'/no/such'", "exists"),
        list("allow: { key: header:X, file: »/tmp }", "allow.file", "'/tmp'", "a file that exists"),
        bad(
            "rules:\n  - »{ name: r, match: /**, allow: 10.0.0.0/8 }",
            "rules[0].limits",
            "nothing",
            "the limits"));
  }

  private static String digest() {
    return "a".repeat(64);
  }

  private static BadCase list(String body, String field, String found, String expected) {
    return rule("name: r, limits: a, " + body, field, found, expected);
  }

  private static String denying(Path file) {
    return "rules: [{ name: r, match: /**, deny: { key: header:X-API-Key, file: '%s' } }]"
        .formatted(file);
  }
}
