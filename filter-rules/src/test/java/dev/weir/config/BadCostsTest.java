package dev.weir.config;

import static dev.weir.config.BadCase.bad;
import static dev.weir.config.BadCase.rule;
import static dev.weir.config.BadRulesTest.match;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files with rules whose costs are wrong, or do not fit their limits. */
class BadCostsTest {

  @ParameterizedTest
  @MethodSource({"costs", "costValues", "bytesWithoutACost"})
  void is_refused(BadCase wrong) {
    wrong.verifyFile(FakeVariables.EMPTY);
  }

  static Stream<BadCase> costs() {
    return Stream.of(
        match("cost: »0", "cost", "'0'", "a whole number of at least 1"),
        match("cost: »-1", "cost", "'-1'", "a whole number of at least 1"),
        match("cost: »1.5", "cost", "'1.5'", "a whole number of at least 1"),
        match("cost: »much", "cost", "'much'", "a whole number"),
        match("cost: »[1]", "cost", "a list", "a whole number"),
        match("cost: »response", "cost", "'response'", "a whole number, 'response bytes'")
            .suggests("response bytes"),
        match("cost: »request", "cost", "'request'", "a whole number, 'response bytes'")
            .suggests("request bytes"),
        match("cost: { request: »byte }", "cost.request", "'byte'", "bytes").suggests("bytes"),
        match("cost: { request: bytes, unknown: »0 }", "cost.unknown", "'0'", "of at least 1"),
        match("cost: { request: bytes, reserve: »1 B }", "cost.reserve", "'1 B'", "no reserve, wh"),
        match("cost: { response: bytes, unknown: »1 B }", unknown(), "'1 B'", "no unknown, which"),
        match(
            "cost: { response: bytes, request: »bytes }",
            "cost.request",
            "request together with response",
            "only one of"),
        match("cost: { response: »byte }", "cost.response", "'byte'", "bytes").suggests("bytes"),
        match("cost: { response: bytes, »reserv: 1 }", "cost.reserv", "'reserv'", "one of header")
            .suggests("reserve"),
        match("cost: { response: bytes, reserve: »0 }", "cost.reserve", "'0'", "of at least 1"),
        match("cost: { response: bytes, reserve: »0 B }", "cost.reserve", "size 0 in '0 B'", "> 0"),
        match(
            "cost: { response: bytes, to: »5 }",
            "cost.to",
            "'5'",
            "no to, which belongs to header or"),
        match(
            "cost: { header: X, to: 5, response: »bytes }",
            "cost.response",
            "response together with header",
            "only one of"),
        match("cost: { header: X, to: 5, reserve: »1 B }", "cost.reserve", "'1 B'", "no reserve"),
        match(
                "cost: { header: X, to: 5, »form: 1 }",
                "cost.form",
                "'form'",
                "one of header, to, from,")
            .suggests("from"),
        match("cost: »{ header: X }", "cost.to", "nothing", "the most that a request costs"),
        match("cost: »{ to: 5 }", "cost.header", "nothing", "one of header, query, response"),
        match("cost: { header: X, query: »x, to: 5 }", "cost.query", besideHeader(), "only one of"),
        match("cost: { header: »'X Y', to: 5 }", "cost.header", "'X Y'", "a field name such as"),
        match("cost: { header: »'', to: 5 }", "cost.header", "nothing", "a field name"),
        match("cost: { header: X, from: »0, to: 5 }", "cost.from", "'0'", "a whole number of at"));
  }

  /** Costs of the right form, whose values are wrong. */
  static Stream<BadCase> costValues() {
    return Stream.of(
        match("cost: »9223372036854775808", "cost", "'9223372036854775808'", "a whole number"),
        match("cost: »9223372036854775807", "cost", "'9223372036854775807'", "at most 5"),
        match("cost: »6", "cost", "'6'", "at most 5, for limit 'a' grants no more"),
        match("cost: { response: bytes, reserve: »6 }", "cost.reserve", "'6'", "at most 5, for"),
        match(
            "cost: { request: bytes, unknown: »6 }", unknown(), "'6'", "at most 5, for limit 'a'"),
        match("cost: { request: bytes, unknown: »6 B }", unknown(), "'6 B'", "at most 5, for"),
        rule(
            "name: r, limits: 4 concurrent, cost: request bytes",
            "",
            "limits 'r', which is held",
            "only limits over a time, where bytes are the cost"),
        match("cost: { response: bytes, reserve: »6 B }", "cost.reserve", "'6 B'", "at most 5"),
        match(
            "cost: { response: bytes, reserve: »1 kb }",
            "cost.reserve",
            "unit 'kb' in '1 kb'",
            "B"),
        match("cost: { query: »\"x\\ty\", to: 5 }", "cost.query", "'x\\u0009y'", "a query param"),
        match("cost: { header: X, to: »6 }", "cost.to", "'6'", "at most 5, for limit 'a'"),
        match("cost: { header: X, to: »1e9 }", "cost.to", "'1e9'", "a whole number of at least 1"),
        match("cost: { header: X, from: 4, to: »3 }", "cost.to", "'3'", "of at least 4"),
        match("cost: { query: x, to: 5, otherwise: »6 }", "cost.otherwise", "'6'", "from 1 to 5"),
        match(
            "cost: { query: x, from: 2, to: 5, otherwise: »1 }", otherwise(), "'1'", "from 2 to 5"),
        rule("name: r, limits: [login, 3/s], cost: »4", "cost", "'4'", "at most 3, for limit 'r'"));
  }

  static Stream<BadCase> bytesWithoutACost() {
    return Stream.of(
        bytes("name: r, limits: »[1 MB per minute]", "limits", "r"),
        bytes("name: r, limits: »1 MB per minute, cost: 1", "limits", "r"),
        bytes("name: r, limits: »['64 KiB/s, burst 1 MiB']", "limits", "r"),
        bytes("name: r, limits: »[a, { token-bucket: 1 MB/s }]", "limits", "r"),
        bytes("name: r, limits: »{ fixed-window: 1 GB per day }", "limits", "r"),
        bytes(
            "name: r, limits: »a, overrides: [{ clients: 192.0.2.7, limits: 1 MB/s }]",
            "limits",
            "r.override-1"),
        bytes(
            "name: r, deny: 192.0.2.1, overrides: »[{ clients: 192.0.2.7, limits: 1 MB/s }]",
            "overrides",
            "r.override-1"),
        bad(
            "limits: { t: 1 MB per minute }\nrules:\n  - { name: r, match: /**, limits: »[t] }",
            "rules[0].limits",
            "limit 't' in bytes, with a cost of 1",
            "'cost: response bytes' or 'cost: request bytes' in the rule, or a limit without sizes"));
  }

  private static BadCase bytes(String body, String field, String limit) {
    return rule(
        body,
        field,
        "limit '" + limit + "' in bytes, with a cost of 1",
        "'cost: response bytes' or 'cost: request bytes' in the rule, or a limit without sizes");
  }

  private static String besideHeader() {
    return "query together with header";
  }

  private static String unknown() {
    return "cost.unknown";
  }

  private static String otherwise() {
    return "cost.otherwise";
  }
}
