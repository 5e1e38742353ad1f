package dev.weir.config;

import static dev.weir.config.BadCase.bad;
import static dev.weir.config.BadCase.limit;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files with wrong limits. */
class BadLimitsTest {

  private static final String DENY = "deny: [192.0.2.0/24] in a rule, which refuses clients";

  @ParameterizedTest
  @MethodSource({"sections", "names", "lines", "values", "maps", "times", "classes"})
  void is_refused(BadCase wrong) {
    wrong.verifyFile(FakeVariables.EMPTY);
  }

  static Stream<BadCase> sections() {
    return Stream.of(
        bad("limits: »5 per minute", "limits", "'5 per minute'", "limits by name"),
        bad("limits: »[5 per minute]", "limits", "a list", "limits by name"),
        bad("limits:»", "limits", "nothing", "limits by name"),
        bad("limits: { a: 1/s, »a: 2/s }", "limits.a", "a second 'a'", "it once"),
        bad("limits: { »[a]: 1/s }", "limits", "a key that is not a name", "a name"),
        bad("limits: { a: »[1/s] }", "limits.a", "a list", "a limit such as"));
  }

  /** Names that no limit may have. */
  static Stream<BadCase> names() {
    return Stream.of(
        bad("limits: { 'x{y}': »1/s }", "limits.x{y}", "name 'x{y}'", "without \" \\ { and }"),
        bad("limits: { '\"': »1/s }", "limits.\"", "name '\"'", "printable ASCII"),
        bad("limits: { käse: »1/s }", "limits.käse", "name 'käse'", "printable ASCII"),
        bad("limits: { ' ': »1/s }", "limits. ", "name ' '", "not blank"));
  }

  static Stream<BadCase> lines() {
    return Stream.of(
        bad("limits:\n  x:»", "limits.x", "nothing", "a limit such as"),
        limit("lots", "'lots'", "a limit such as"),
        limit("100", "'100'", "'per' or '/'"),
        limit("100 second", "'100 second'", "'per' or '/'"),
        limit("per second", "'per second'", "a limit such as"),
        limit("100 per", "'100 per'", "a unit of time"),
        limit("100 per 10", "'100 per 10'", "a unit of time"),
        limit("0 per second", "permits 0 in '0 per second'", "> 0").suggests(DENY),
        limit("0/m, burst 5", "permits 0 in '0/m, burst 5'", "> 0").suggests(DENY),
        limit("0 concurrent", "concurrent 0 in '0 concurrent'", "1 to 1000").suggests(DENY),
        limit("-5 per second", "permits -5 in '-5 per second'", "> 0"),
        limit("1.5 per second", "permits 1.5 in '1.5 per second'", "a whole number")
            .suggests("3 per 2 seconds"),
        limit("0.5/s", "permits 0.5 in '0.5/s'", "a whole number").suggests("1 per 2 s"),
        limit("1.000 per minute", "permits 1.000 in '1.000 per minute'", "a whole number"),
        limit("5 per year", "unit 'year' in '5 per year'", "days, as in '1000 per 365 days'"),
        limit("NaN per second", "'NaN per second'", "a limit such as"),
        limit("1e309 per second", "'1e309 per second'", "'per' or '/'"),
        limit("٣ per second", "'٣ per second'", "a limit such as"),
        limit("1 per 0 s", "period 0 s in '1 per 0 s'", "> 0"),
        limit("1 per -1 s", "period -1 s in '1 per -1 s'", "> 0"),
        limit("1k per hour", "'1k per hour'", "'k' is written out, as in '1_000 per hour'"),
        limit(
            "5 per minute and 100 per hour",
            "'5 per minute and 100 per hour'",
            "two limits are a list: ['5 per minute', '100 per hour']"),
        limit("1 per month", "period month in '1 per month'", "in a calendar"),
        limit("5 per fortnight", "unit 'fortnight' in '5 per fortnight'", "us, ms, s"),
        limit("5 per minut", "unit 'minut' in '5 per minut'", "us, ms, s").suggests("minute"),
        limit("5 per seconde", "unit 'seconde' in '5 per seconde'", "us, ms, s").suggests("second"),
        limit("5 pr minute", "'5 pr minute'", "'per' or '/'").suggests("per"),
        limit("5/s, burts 9", "'5/s, burts 9'", "'burst' after the comma"),
        limit("5/s, burst", "'5/s, burst'", "a whole number after 'burst'"),
        limit("5/s, burst 0", "burst 0 in '5/s, burst 0'", "> 0"),
        limit("5/s burst 9", "'5/s burst 9'", "nothing after the limit"),
        limit("5 per day windo", "'5 per day windo'", "nothing after the limit").suggests("window"),
        limit(
            "5 per day window, burst 9", "zone ', burst 9' in '5 per day window, burst 9'", "zone"),
        limit("\"5/s\\u0000\"", "'5/s\\u0000'", "nothing after the limit"),
        limit("true", "'true'", "a limit such as"));
  }

  /** Lines of the right form, whose values are wrong. */
  static Stream<BadCase> values() {
    return Stream.of(
        limit("1__0 per second", "permits 1__0 in '1__0 per second'", "a whole number"),
        limit(
            "9223372036854775808 per day",
            "permits 9223372036854775808 in '9223372036854775808 per day'",
            "below 2^53"),
        limit("1 Mb per s", "unit 'Mb' in '1 Mb per s'", "a capital B"),
        limit("1 MB/s, burst 2", "burst 2 in '1 MB/s, burst 2'", "a size such as"),
        limit(
            "4 concurrent, ttl 367 days",
            "ttl PT8808H in '4 concurrent, ttl 367 days'",
            "at most 366 days"),
        limit("1 per 367 days", "period PT8808H in '1 per 367 days'", "at most 366 days"),
        limit(
            "1 per 9223372036854775807 weeks",
            "period 9223372036854775807 weeks in '1 per 9223372036854775807 weeks'",
            "at most 366 days"),
        limit("11 per us", "rate 11 per microsecond in '11 per us'", "10 million"),
        limit(
                "5 per day window Europe/Berln",
                "zone 'Europe/Berln' in '5 per day window Europe/Berln'",
                "a time zone")
            .suggests("Europe/Berlin"),
        limit("5 per 2 days window UTC", "period 2 days in '5 per 2 days window UTC'", "calendar"));
  }

  static Stream<BadCase> maps() {
    return Stream.of(
        bad("limits: { x: »{ burst: 4 } }", "limits.x.token-bucket", "nothing", "fixed-window"),
        bad(
            "limits: { x: »{ class: com.example.QuotaOf } }",
            "limits.x.token-bucket",
            "nothing",
            "one of token-bucket, leaky-bucket, fixed-window"),
        map(
            "token-bucket: 1/s, class: »[]",
            "class",
            "an empty list",
            "dev.weir.http.LimitFunction"),
        map("token-bucket: 1/s, »clas: x.Y", "clas", "'clas'", "one of").suggests("class"),
        map("token-bucket: 1/s, »brust: 4", "brust", "'brust'", "one of").suggests("burst"),
        map("token-bucket: 1/s, burst: »0", "burst", "'0'", "a whole number of at least 1"),
        map("token-bucket: 1/s, burst: »much", "burst", "'much'", "a whole number"),
        map("token-bucket: 1/s, burst: »[1]", "burst", "a list", "a whole number"),
        map("token-bucket: 1/s, align: »UTC", "align", "'UTC'", "no align"),
        map("token-bucket: »'1/s, burst 4'", "token-bucket", "'1/s, burst 4'", "permits per time"),
        map("token-bucket: »1/s WINDOW", "token-bucket", "'1/s WINDOW'", "permits per time"),
        map("token-bucket: »1 per minut", "token-bucket", "unit 'minut' in '1 per minut'", "us, ms")
            .suggests("minute"),
        map("token-bucket: 1/s, leases: »of", "leases", "'of'", "auto, off").suggests("off"),
        map("token-bucket: 1/s, leases: »[auto]", "leases", "a list", "auto, off"),
        map("leaky-bucket: 1/s, leases: »auto", "leases", "'auto'", "no leases, which belongs to"),
        map("sliding-window: 1/s, leases: »off", "leases", "'off'", "token-bucket or fixed-window"),
        map("concurrent: 4, leases: »auto", "leases", "'auto'", "no leases"),
        map("token-bucket: 1/s, ttl: »4s", "ttl", "'4s'", "no ttl, which belongs to concurrent"),
        map("concurrent: 4, »lease: 4s", "lease", "'lease'", "ttl: a time such as 30s"),
        map("token-bucket: »{}", "token-bucket", "a map", "permits per time"),
        map(
            "fixed-window: »1/s, token-bucket: 1/s",
            "fixed-window",
            "fixed-window together with token-bucket",
            "only one of token-bucket, leaky-bucket,"),
        map("sliding-window: 1/s, burst: »4", "burst", "'4'", "no burst"),
        map("sliding-window: 1/s, align: »UTC", "align", "'UTC'", "no align"),
        map("token-bucket: 1/s, sub-windows: »4", "sub-windows", "'4'", "no sub-windows"),
        map("sliding-window: »1/s sliding", "sliding-window", "'1/s sliding'", "permits per time"),
        map("sliding-window: »0 per 10s", "sliding-window", "quota 0 in '0 per 10s'", "> 0")
            .suggests(DENY),
        map("sliding-window: 1/s, sub-windows: »61", "sub-windows", "'61'", "from 1 to 60"),
        map("sliding-window: 1/s, sub-windows: »0", "sub-windows", "'0'", "a whole number"),
        map("sliding-window: 1/s, sub-windows: »few", "sub-windows", "'few'", "a whole number"),
        map("sliding-window: 1/s, »sub-window: 4", "sub-window", "'sub-window'", "one of")
            .suggests("sub-windows"),
        map("leaky-bucket: 1/s, burst: »4", "burst", "'4'", "no burst"),
        map("token-bucket: 1/s, capacity: »4", "capacity", "'4'", "no capacity"),
        map("leaky-bucket: »1/s leaky", "leaky-bucket", "'1/s leaky'", "permits per time"),
        map("leaky-bucket: 1/s, capacity: »0", "capacity", "'0'", "a whole number"),
        map("fixed-window: 1/s, burst: »4", "burst", "'4'", "no burst"),
        map("fixed-window: »1 per day window", "fixed-window", "'1 per day window'", "per time"),
        map("fixed-window: »0 per day", "fixed-window", "quota 0 in '0 per day'", "> 0")
            .suggests(DENY),
        map("fixed-window: 1 per day, align: »[UTC]", "align", "a list", "a time zone"));
  }

  /** Maps of the right form, whose times are wrong. */
  static Stream<BadCase> times() {
    return Stream.of(
        map("concurrent: 4, ttl: »8785h", "ttl", "'8785h'", "from 1s to 366d"),
        map(
            "fixed-window: »1 per month",
            "fixed-window",
            "period month in '1 per month'",
            "calendar"),
        map(
                "fixed-window: 1 per day, align: »Europe/Berln",
                "align",
                "'Europe/Berln'",
                "a time zone")
            .suggests("Europe/Berlin"),
        map(
            "fixed-window: »1 per 2 days, align: UTC",
            "fixed-window",
            "period 2 days in '1 per 2 days'",
            "calendar"));
  }

  static Stream<BadCase> classes() {
    return Stream.of(
        map(
            "token-bucket: 1/s, class: »com.example.Absent",
            "class",
            "class 'com.example.Absent'",
            "a class that the application can load"),
        map(
            "concurrent: 4, class: »com.example.TierOfCard",
            "class",
            "class 'com.example.TierOfCard'",
            "a class that implements dev.weir.http.LimitFunction"),
        map(
            "token-bucket: 1/s, leases: »auto, class: com.example.QuotaOf",
            "leases",
            "'auto'",
            "off, where subjects have numbers of their own"));
  }

  private static BadCase map(String body, String field, String found, String expected) {
    return bad("limits:\n  x: { " + body + " }", "limits.x." + field, found, expected);
  }
}
