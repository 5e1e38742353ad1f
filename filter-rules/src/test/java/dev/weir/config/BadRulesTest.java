package dev.weir.config;

import static dev.weir.config.BadCase.bad;
import static dev.weir.config.BadCase.rule;

import dev.weir.http.RequestFunction;
import dev.weir.http.RequestView;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files with wrong rules. */
class BadRulesTest {

  private static final String QUOTES =
      "quotes around the whole limit, as in \"20 per second, burst 40\"";

  @ParameterizedTest
  @MethodSource({
    "lists",
    "keys",
    "names",
    "repeatedNames",
    "patterns",
    "depths",
    "annotations",
    "absentMatches",
    "cancelledMatches",
    "subjects",
    "senselessSubjects",
    "classes",
    "limits",
    "wordsOfOtherFiles",
    "denials",
    "choices"
  })
  void is_refused(BadCase wrong) {
    wrong.verifyFile(FakeVariables.EMPTY);
  }

  static Stream<BadCase> lists() {
    return Stream.of(
        bad("rules: »{}", "rules", "a map", "a list of rules"),
        bad("rules: »{ name: r }", "rules", "a map", "a list of rules"),
        bad("rules: »[]", "rules", "an empty list", "a list of rules"),
        bad("rules:»", "rules", "nothing", "a list of rules"),
        bad("rules: »login", "rules", "'login'", "each with name"),
        bad("rules: [»login]", "rules[0]", "'login'", "each with name"),
        bad("rules:\n  - »~", "rules[0]", "nothing", "each with name"),
        bad("rules:\n  - »[a]", "rules[0]", "a list", "each with name"));
  }

  static Stream<BadCase> keys() {
    return Stream.of(
        rule("name: r, limits: a, »sujbect: ip", "sujbect", "'sujbect'", "one of name, match")
            .suggests("subject"),
        rule("name: r, limits: a, »path: /x", "path", "'path'", "match: a pattern such as"),
        rule(
            "name: r, limits: a, »methods: [POST]", "methods", "'methods'", "match: 'POST /login'"),
        rule("name: r, limits: a, »method: GET", "method", "'method'", "match: 'POST /login'"),
        rule("name: r, limits: a, »paths: /x", "paths", "'paths'", "match: a pattern such as"),
        rule("name: r, limits: a, »url: /x", "url", "'url'", "match: a pattern such as"),
        rule("name: r, limits: a, »key: ip", "key", "'key'", "subject: header:X-API-Key"),
        rule("name: r, limits: a, »by: ip", "by", "'by'", "subject: ip, or another part"),
        rule("name: r, limits: a, »mach: /x", "mach", "'mach'", "one of").suggests("match"),
        rule("name: r, limits: a, »costs: 2", "costs", "'costs'", "one of").suggests("cost"),
        rule("name: r, limits: a, »on-denail: x", "on-denail", "'on-denail'", "one of")
            .suggests("on-denial"),
        rule("name: r, limits: a, »excpet: /x", "excpet", "'excpet'", "one of").suggests("except"),
        rule("name: r, limits: a, »limits: b", "limits", "a second 'limits'", "it once"),
        rule("name: r, limits: a, match: GET /x, »POST /y", "POST /y", "'POST /y'", "one of"));
  }

  static Stream<BadCase> names() {
    return Stream.of(
        bad(
            "limits: { a: 1/s }\nrules:\n  - »{ match: /**, limits: a }",
            "rules[0].name",
            "nothing",
            "a name for the rule"),
        rule("name: »'', limits: a", "name", "nothing", "a name for the rule"),
        rule("name: »[r], limits: a", "name", "a list", "a name for the rule"),
        rule("name: »'{r}', limits: a", "name", "'{r}'", "without \" \\ { and }"),
        rule("name: »\"r\\r\\nX-Evil: 1\", limits: a", "name", "'r\\u000d\\u000aX-Evil: 1'", ""),
        rule("name: »" + "r".repeat(129) + ", limits: a", "name", longName(), "at most 128"));
  }

  /** Names that another rule has. */
  static Stream<BadCase> repeatedNames() {
    return Stream.of(
        bad(
            "limits: { a: 1/s }\nrules:\n- { name: r, match: /**, limits: a }\n- { name: »r, match: /**, limits: a }",
            "rules[1].name",
            "'r'",
            "no other rule"),
        bad(
            "limits: { a: 1/s }\nrules:\n- {name: r, match: /**, limits: a, enabled: false}\n- {name: »r, match: /**, limits: a}",
            "rules[1].name",
            "'r'",
            "no other rule"));
  }

  private static String longName() {
    return "'" + "r".repeat(80) + "…'";
  }

  static Stream<BadCase> patterns() {
    return Stream.of(
        match("match: »login", "match", "'login'", "a path that starts with"),
        match("match: »''", "match", "nothing", "a pattern such as"),
        match("match: »[]", "match", "an empty list", "a pattern such as"),
        match("match: »{}", "match", "a map", "a pattern such as"),
        match("match: [/a, »b]", "match[1]", "'b'", "a path that starts with"),
        match("match: [/a, »~]", "match[1]", "nothing", "a pattern such as"),
        match("match: [/a, »[/b]]", "match[1]", "a list", "a pattern such as"),
        match("match: »'*do'", "match", "'*do'", "or '*.do'"),
        match("match: »'*.tar.gz'", "match", "'*.tar.gz'", "one dot after '*', as in '*.gz'"),
        match("match: [/a, »'*.do/x']", "match[1]", "'*.do/x'", "a path that starts with '/'"),
        match("match: /a, except: »b", "except", "'b'", "a path that starts with"),
        match("match: /a, except: [/c, »b]", "except[1]", "'b'", "a path that starts with"),
        match("match: /a, except: »[]", "except", "an empty list", "a pattern such as"),
        match("match: »~", "match", "nothing", "a pattern such as"),
        match("match: »annotation", "match", "'annotation'", "uses").suggests("annotations"));
  }

  /** Patterns that a schema cannot tell from others. */
  static Stream<BadCase> depths() {
    return Stream.of(
        match("match: »/a/*.do/b", "match", "'/a/*.do/b'", "'*.do' as the last segment only"),
        match("match: »/a/**/**/b", "match", "'/a/**/**/b'", "one '**' instead of '**/**'"),
        match("match: »/a/**/", "match", "'/a/**/'", "no '/' after '**' at the end"),
        match(
            "match: [»/**/a/**/b/**/c/**/d/**]",
            "match[0]",
            "'/**/a/**/b/**/c/**/d/**'",
            "at most 4"),
        match("match: »/my docs", "match", "'/my docs'", "'%20' is one, as in '/my%20docs'"),
        match("match: »/my%2", "match", "'/my%2'", "two hexadecimal digits after '%'"),
        match("match: »/a%2Fb", "match", "'/a%2Fb'", "no '%2F', for a segment has no slash"),
        match("match: »/caf%E9", "match", "'/caf%E9'", "characters in UTF-8, as in '/caf%C3%A9'"),
        match("match: »/a/%2e%2e", "match", "'/a/%2e%2e'", "no '.' or '..' segment"),
        match("match: /a, except: »/a/x*.do", "except", "'/a/x*.do'", "'*' alone in its segment"));
  }

  /** The word for no patterns, together with some. */
  static Stream<BadCase> annotations() {
    return Stream.of(
        match("match: [/a, »annotations]", "match[1]", "'annotations'", "'annotations' alone"),
        match(
            "match: annotations, except: »/b",
            "except",
            "'/b'",
            "no except together with 'match: annotations'"));
  }

  static Stream<BadCase> absentMatches() {
    String expected =
        "a path pattern such as /api/**, or 'annotations' for a rule that only @RateLimited uses";
    return Stream.of(
        bad("rules:\n  - »{ name: r, limits: 1/s }", "rules[0].match", "nothing", expected),
        bad(
            "rules:\n  - »{ name: r, limits: 1/s, enabled: false }",
            "rules[0].match",
            "nothing",
            expected),
        bad(
            "rules:\n  - »name: r\n    except: /b\n    limits: 1/s",
            "rules[0].match",
            "nothing",
            expected));
  }

  static Stream<BadCase> cancelledMatches() {
    return Stream.of(
        cancelled("match: /api/**, except: »[/api/**]", "'/api/**'", "'/api/**'"),
        cancelled("match: /api/**, except: »/**", "'/**'", "'/api/**'"),
        cancelled("match: [/a, /b], except: »[/b, /a]", "'/b, /a'", "'/a, /b'"),
        cancelled("match: \"/a/{id}\", except: »/a/*", "'/a/*'", "'/a/{id}'"),
        cancelled("match: /a, except: »/a/", "'/a/'", "'/a'"),
        cancelled("match: POST /a, except: »/a", "'/a'", "'POST /a'"),
        cancelled("match: '*.do', except: »'*.do'", "'*.do'", "'*.do'"),
        cancelled("match: '/a/*.do', except: »'*.do'", "'*.do'", "'/a/*.do'"),
        cancelled("match: /a/**/b, except: »/a/**", "'/a/**'", "'/a/**/b'"),
        cancelled("match: /a/c/b, except: »/a/**/b", "'/a/**/b'", "'/a/c/b'"),
        cancelled(
            "match: \"GET,POST /a\", except: »[GET /a, POST /a]",
            "'GET /a, POST /a'",
            "'GET,POST /a'"),
        cancelled("match: //shop.example/**, except: »/**", "'/**'", "'//shop.example/**'"),
        bad(
            "paths: { ignore-case: true }\nrules:\n  - { name: r, match: /API/**, except: »/api/**, limits: 1/s }",
            "rules[0].except",
            "'/api/**'",
            "patterns that leave something of match '/API/**'"),
        bad(
            "overload: »{ except: [/**] }",
            "overload",
            "except '/**'",
            "patterns that leave something of match '/**'"));
  }

  static Stream<BadCase> wordsOfOtherFiles() {
    return Stream.of(
        match("enabled: »no", "enabled", "'no'", "true, false").suggests("false"),
        match("enabled: »Yes", "enabled", "'Yes'", "true, false").suggests("true"),
        bad(
                "responses: { legacy-headers: »yes }",
                "responses.legacy-headers",
                "'yes'",
                "true, false")
            .suggests("true"),
        bad("reload: »false", "reload", "'false'", "on, off").suggests("off"),
        bad("responses: { fields: »draft-8 }", "responses.fields", "'draft-8'", "draft-11, draft-7")
            .suggests("draft-11"),
        bad(
            "client-address: { trusted-proxies: 10.0.0.1 }\ntiers: { t: { header: X, otherwise: x, »default: x } }",
            "tiers.t.default",
            "'default'",
            "otherwise: the tier of all other clients"),
        match("on-denial: »delay up to 20 minutes", "on-denial", delay(), "at most 10 minutes"),
        bad(
                """
                client-address: { trusted-proxies: 10.0.0.1 }
                tiers: { t: { header: X, otherwise: pro } }
                rules: [{ name: r, match: /**, tier: t, limits: { pro: »none, vip: 5/s } }]
                """,
                "rules[0].limits.pro",
                "'none'",
                "unlimited, or names of limits")
            .suggests("unlimited"),
        match("deny: »localhost", "deny", "'localhost'", "addresses such as 127.0.0.1 and ::1"),
        match("deny: »10.0.0.1-10.0.0.9", "deny", "'10.0.0.1-10.0.0.9'", "a network such as"));
  }

  private static String delay() {
    return "delay up to 20 minutes";
  }

  private static BadCase cancelled(String body, String found, String match) {
    return match(body, "except", found, "patterns that leave something of match " + match);
  }

  static BadCase match(String body, String field, String found, String expected) {
    return rule("name: r, limits: a, " + body, field, found, expected);
  }

  static Stream<BadCase> subjects() {
    return Stream.of(
        match("subject: »address", "subject", "'address'", "ip, header:NAME"),
        match("subject: »IP", "subject", "'IP'", "ip, header:NAME").suggests("ip"),
        match("subject: »hedaer:X", "subject", "'hedaer:X'", "ip, header:NAME")
            .suggests("header:X"),
        match("subject: »principle", "subject", "'principle'", "ip, header:NAME")
            .suggests("principal"),
        match("subject: »header", "subject", "'header'", "header:NAME"),
        match("subject: »'header:'", "subject", "'header:'", "a name of letters"),
        match("subject: »'header:X Y'", "subject", "'header:X Y'", "a name of letters"),
        match("subject: »'cookie:a;b'", "subject", "'cookie:a;b'", "a name of letters"),
        match("subject: »'query:'", "subject", "'query:'", "the name of a query parameter"),
        match("subject: »''", "subject", "nothing", "ip, header:NAME"),
        match("subject: »[]", "subject", "an empty list", "ip, header:NAME"),
        match("subject: »{ header: X }", "subject", "a map", "as in header:X-API-Key"),
        match("subject: »header X-API-Key", "subject", "'header X-API-Key'", "ip, header:NAME")
            .suggests("header:X-API-Key"),
        match("subject: »'header: X-Key'", "subject", "'header: X-Key'", "a name of letters")
            .suggests("header:X-Key"),
        match("subject: »X-API-Key", "subject", "'X-API-Key'", "ip, header:NAME")
            .suggests("header:X-API-Key"),
        match("subject: »user", "subject", "'user'", "ip, header:NAME").suggests("principal"),
        match("subject: »'ip,path'", "subject", "'ip,path'", "ip, header:NAME")
            .suggests("[ip, path]"),
        match("subject: »jwt:sub", "subject", "'jwt:sub'", "or a class"),
        match("subject: »session", "subject", "'session'", "session:NAME, as in session:tenant"),
        match("subject: »attribute", "subject", "'attribute'", "attribute:NAME"),
        match("subject: »basic-auth", "subject", "'basic-auth'", "ip, header:NAME")
            .suggests("basic-user"),
        match("subject: »basic-user:x", "subject", "'basic-user:x'", "ip, header:NAME"),
        match("subject: »'path:{id}'", "subject", "'path:{id}'", "a variable of the pattern")
            .suggests("path:id"),
        match("subject: »path id", "subject", "'path id'", "ip, header:NAME").suggests("path:id"),
        match("subject: »{ first: [header:X] }", "subject", "a map", "{ first-of: ["),
        match(
            "subject: { first-of: »[] }", "subject.first-of", "an empty list", "a list of places"),
        match("subject: [ip, »ipp]", "subject[1]", "'ipp'", "ip, header:NAME").suggests("ip"),
        match("subject: »[ip, ip]", "subject", "subject ip", "each part once"),
        match("missing: »adress", "missing", "'adress'", "ip, shared"),
        match("missing: »share", "missing", "'share'", "ip, shared").suggests("shared"));
  }

  /** Subjects that have the right form, and no sense. */
  static Stream<BadCase> senselessSubjects() {
    return Stream.of(
        bad(
            "rules:\n  - »{ name: r, limits: 1/s, match: /a/*, subject: path:id }",
            "rules[0]",
            "subject 'path:id'",
            "a variable {id} in each pattern of match, not between two '**', but '/a/*' has none"),
        bad(
            "rules:\n  - »{ name: r, limits: 1/s, match: annotations, subject: path:id }",
            "rules[0]",
            "subject 'path:id'",
            "a pattern with {id} in match"),
        match(
            "subject: { first-of: »[header:X] }",
            "subject.first-of",
            "[header:X]",
            "two to four places"),
        match(
            "subject: { first-of: »[header:X, ip] }",
            "subject.first-of",
            "'ip'",
            "header:NAME, query:NAME or cookie:NAME"),
        match(
            "subject: { first-of: [header:X, header:Y], »or: ip }",
            "subject.or",
            "'or'",
            "one of first-of"));
  }

  static Stream<BadCase> classes() {
    return Stream.of(
        className("com.example.Tenant", "", "can load"),
        className("java.lang.String", "", "implements dev.weir.http.RequestFun"),
        className("java.lang.Runnable", "", "implements"),
        className(NoPublicConstructor.class.getName(), "", "a public constructor"),
        className(
            Throwing.class.getName(), ", which threw java.lang.IllegalStateException", "made"),
        className(FailingToInitialize.class.getName(), "", "can load"));
  }

  private static BadCase className(String name, String more, String expected) {
    return match("subject: »" + name, "subject", "class '" + name + "'" + more, expected);
  }

  static Stream<BadCase> limits() {
    String known = "one of the limits a, login, or a limit in place";
    return Stream.of(
        bad(
            "rules:\n  - »{ name: r, match: /** }",
            "rules[0].limits",
            "nothing",
            "limits that the rule"),
        rule("name: r, limits: »lgoin", "limits", "'lgoin'", known).suggests("login"),
        rule("name: r, limits: »Login", "limits", "'Login'", known).suggests("login"),
        rule("name: r, limits: »other", "limits", "'other'", known),
        rule("name: r, limits: [a, »logn]", "limits[1]", "'logn'", known).suggests("login"),
        rule("name: r, limits: [5 per minute, »burst 9]", "limits[1]", "'burst 9'", QUOTES),
        rule("name: r, limits: [2/s leaky, »capacity 9]", "limits[1]", "'capacity 9'", QUOTES),
        rule("name: r, limits: 5 per minute, »burst 9", "burst 9", "'burst 9'", QUOTES),
        bad("limits: { x: 5 per minute, burst 9»}", "limits.burst 9", "'burst 9'", QUOTES),
        rule("name: r, limits: [»1,000 per minute]", "limits[0]", "'1'", "as in 1_000 per minute"),
        rule("name: r, limits: [»1,500/s]", "limits[0]", "'1'", "as in 1_000 per minute"),
        rule(
            "name: r, limits: »'1,000 per minute'",
            "limits",
            "permits 1,000 in '1,000 per minute'",
            "a number without commas, as in 1_000"),
        rule(
            "name: r, limits: »'5 per minute, burst 10,000'",
            "limits",
            "burst 10,000 in '5 per minute, burst 10,000'",
            "a number without commas, as in 10_000"),
        rule("name: r, limits: »[]", "limits", "an empty list", "the names of limits"),
        rule("name: r, limits: »''", "limits", "nothing", "the names of limits"),
        rule("name: r, limits: [»[a]]", "limits[0]", "a list", "the names of limits"),
        bad(
            "limits: { a: 1/s }\nrules:\n  - »{ name: r, match: /**, limits: [a, a] }",
            "rules[0]",
            "limits a",
            "each limit once"),
        rule("name: r, limits: »5 per minut", "limits", "unit 'minut' in '5 per minut'", "us, ms")
            .suggests("minute"),
        rule("name: r, limits: »0/s", "limits", "permits 0 in '0/s'", "> 0")
            .suggests("deny: [192.0.2.0/24] in a rule, which refuses clients"),
        bad(
            "rules:\n- { name: r, match: /**, limits: [1/s, 9/h] }\n- { name: r.2, match: /**, limits: »8/h }",
            "rules[1].limits",
            "'8/h'",
            "another name for the rule, since a limit is called 'r.2'"),
        rule("name: login, limits: »1/s", "limits", "'1/s'", "another name for the rule"),
        rule("name: r, limits: { token-bucket: »x }", "limits.token-bucket", "'x'", "a limit such"),
        bad(
            "rules: [{ name: r, match: /**, limits: »login }]",
            "rules[0].limits",
            "'login'",
            "names none"));
  }

  static Stream<BadCase> denials() {
    String words = "reject, shadow, degrade, degrade to /path, delay up to 2s";
    return Stream.of(
        match("on-denial: »shdaow", "on-denial", "'shdaow'", words).suggests("shadow"),
        match("on-denial: »degarde", "on-denial", "'degarde'", words).suggests("degrade"),
        match("on-denial: »Reject", "on-denial", "'Reject'", words).suggests("reject"),
        match("on-denial: »~", "on-denial", "nothing", words),
        match("on-denial: »delay", "on-denial", "'delay'", words).suggests("delay up to 2s"),
        match("on-denial: »delay 2s", "on-denial", "'delay 2s'", words).suggests("delay up to 2s"),
        match("on-denial: »delay up to 2", "on-denial", "'delay up to 2'", "with its unit"),
        match("on-denial: »delay up to 2x", "on-denial", "'delay up to 2x'", "with its unit"),
        match("on-denial: »delay up to 0s", "on-denial", "delay up to 0ms", "more than 0"),
        match("on-denial: »delay up to 11m", "on-denial", "delay up to 11 minutes", "10 minutes"),
        match("on-denial: »[shadow]", "on-denial", "a list", words),
        match("on-denial: »degrade to", "on-denial", "'degrade to'", words).suggests("degrade"),
        match(
            "on-denial: »degrade to cheap",
            "on-denial",
            "degrade to 'cheap' in 'degrade to cheap'",
            "a path within the application that starts with /"),
        match(
            "on-denial: »degrade to /a b",
            "on-denial",
            "degrade to '/a b' in 'degrade to /a b'",
            "without blanks"),
        bad(
            "limits: { a: 1/s }\nrules:\n- { name: r, match: /**, limits: a }\n- »{ name: s, match: /**, limits: a,"
                + " on-denial: shadow }",
            "rules[1]",
            "limit 'a' as of rule 'r'",
            "a limit of its own"));
  }

  static Stream<BadCase> choices() {
    return Stream.of(
        match("on-outage: »lcoal", "on-outage", "'lcoal'", "allow, local, deny").suggests("local"),
        match("on-outage: »~", "on-outage", "nothing", "allow, local, deny"),
        match("enabled: »flase", "enabled", "'flase'", "true, false").suggests("false"),
        match("enabled: false, cost: »0", "cost", "'0'", "a whole number of at least 1"));
  }

  /** Not to be made: its constructor is not public. */
  public static final class NoPublicConstructor implements RequestFunction {

    NoPublicConstructor() {}

    @Override
    public Optional<String> apply(RequestView request) {
      return Optional.empty();
    }
  }

  /** Not to be made: it throws. */
  public static final class Throwing implements RequestFunction {

    public Throwing() {
      throw new IllegalStateException("s3cr3t");
    }

    @Override
    public Optional<String> apply(RequestView request) {
      return Optional.empty();
    }
  }

  /** Not to be loaded: its initializer throws. */
  public static final class FailingToInitialize implements RequestFunction {

    static final int NUMBER = Integer.parseInt("no number");

    @Override
    public Optional<String> apply(RequestView request) {
      return Optional.empty();
    }
  }
}
