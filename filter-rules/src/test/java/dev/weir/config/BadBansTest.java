package dev.weir.config;

import static dev.weir.config.BadCase.rule;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files with wrong bans. */
class BadBansTest {

  private static final String FORM = "a ban such as 15m after 20 denials in 1m";
  private static final String UNIT = "a length of time with its unit, such as 15m";
  private static final String MADE_UP =
      "ip or principal in the subject, or keys that the rule's tiers know, for a client can make"
          + " this one up, and have others banned";
  private static final String SHARED =
      "ip or principal in the subject, for all clients share this one, and would be banned";

  @ParameterizedTest
  @MethodSource({"forms", "numbers", "subjects"})
  void is_refused(BadCase wrong) {
    wrong.verifyFile(FakeVariables.EMPTY);
  }

  static Stream<BadCase> forms() {
    return Stream.of(
        ban("15m", "'15m'", FORM),
        ban("true", "'true'", FORM),
        ban("[15m after 20 denials in 1m]", "a list", FORM),
        ban("{ length: 15m }", "a map", FORM),
        ban("~", "nothing", FORM),
        ban("after 20 denials in 1m", "'after 20 denials in 1m'", FORM),
        ban("15m after 20 denials", "'15m after 20 denials'", FORM),
        ban("15m after -2 denials in 1m", "'15m after -2 denials in 1m'", FORM),
        ban("15m after 20 requests in 1m", "'15m after 20 requests in 1m'", FORM)
            .suggests("15m after 20 denials in 1m"),
        ban("15m after 20 in 1m", "'15m after 20 in 1m'", FORM)
            .suggests("15m after 20 denials in 1m"),
        ban("15m after 20 denials per 1m", "'15m after 20 denials per 1m'", FORM)
            .suggests("15m after 20 denials in 1m"),
        ban("20 denials in 1m for 15m", "'20 denials in 1m for 15m'", FORM)
            .suggests("15m after 20 denials in 1m"),
        rule(
                "name: r, limits: a, »bann: 15m after 20 denials in 1m",
                "bann",
                "'bann'",
                "one of name, match")
            .suggests("ban"));
  }

  static Stream<BadCase> numbers() {
    return Stream.of(
        ban("15 after 20 denials in 1m", "length '15' in '15 after 20 denials in 1m'", UNIT),
        ban("15m after 20 denials in 1", "time '1' in '15m after 20 denials in 1'", UNIT),
        ban("15mm after 20 denials in 1m", "length '15mm' in '15mm after 20 denials in 1m'", UNIT),
        ban("15m after 0 denials in 1m", "denials 0 in '15m after 0 denials in 1m'", "> 0"),
        ban(
            "15m after 9000000 denials in 1m",
            "denials 9000000 in '15m after 9000000 denials in 1m'",
            "at most 1000000"),
        ban(
            "15ms after 20 denials in 1m",
            "length 15 milliseconds in '15ms after 20 denials in 1m'",
            "at least 1 second"),
        ban(
            "15m after 20 denials in 1us",
            "time microsecond in '15m after 20 denials in 1us'",
            "at least 1 second"),
        ban(
            "400d after 20 denials in 1m",
            "length PT9600H in '400d after 20 denials in 1m'",
            "at most 366 days"),
        ban("0s after 20 denials in 1m", "length PT0S in '0s after 20 denials in 1m'", "> 0"));
  }

  static Stream<BadCase> subjects() {
    return Stream.of(
        of("header:X-API-Key", "a ban by subject header:x-api-key", MADE_UP),
        of("query:api_key", "a ban by subject query:api_key", MADE_UP),
        of("cookie:sid", "a ban by subject cookie:sid", MADE_UP),
        of("host", "a ban by subject host", MADE_UP),
        of("[path, 'header:X-API-Key']", "a ban by subject path+header:x-api-key", MADE_UP),
        of("global", "a ban by subject global", SHARED),
        of("path", "a ban by subject path", SHARED),
        of("method", "a ban by subject method", SHARED),
        of(
            "principal, missing: shared",
            "a ban by subject principal",
            "ip in the subject too, or 'missing: ip', for all that lack the subject share one"),
        of(
            "ip, on-denial: degrade",
            "a ban with on-denial: degrade",
            "reject or delay, for a degraded request passes"),
        of("global, enabled: false", "a ban by subject global", SHARED));
  }

  /** A rule by address with this ban. */
  private static BadCase ban(String ban, String found, String expected) {
    return rule("name: r, limits: a, ban: »" + ban, "ban", found, expected);
  }

  /** A rule with this subject and a ban. */
  private static BadCase of(String subject, String found, String expected) {
    return rule(
        "name: r, limits: a, subject: " + subject + ", ban: »15m after 20 denials in 1m",
        "ban",
        found,
        expected);
  }
}
