package dev.weir.config;

import static dev.weir.config.BadCase.bad;

import dev.weir.config.internal.document.Variables;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files that are wrong above their limits and rules. */
class BadTopLevelTest {

  private static final Variables ENVIRONMENT =
      FakeVariables.of(Map.of("ZERO", "0", "BLANK", "  ", "MULTI", "1\nrules: []"), Map.of());

  @ParameterizedTest
  @MethodSource({
    "roots",
    "keys",
    "nodes",
    "counters",
    "choices",
    "classes",
    "redis",
    "addresses",
    "networks",
    "flags",
    "references"
  })
  void is_refused(BadCase wrong) {
    wrong.verifyFile(ENVIRONMENT);
  }

  static Stream<BadCase> roots() {
    return Stream.of(
        bad("»- a\n- b", "", "a list", "a map with limits and rules"),
        bad("»[]", "", "an empty list", "a map with limits and rules"),
        bad("»hello", "", "'hello'", "a map with limits and rules"),
        bad("»42", "", "'42'", "a map with limits and rules"),
        bad("»~", "", "nothing", "a map with limits and rules"),
        bad("--- »null", "", "nothing", "a map with limits and rules"),
        bad("»<html>404</html>", "", "'<html>404</html>'", "a map with limits and rules"));
  }

  static Stream<BadCase> keys() {
    return Stream.of(
        bad("»ruls: []", "ruls", "'ruls'", "one of application, redis").suggests("rules"),
        bad("»limit: {}", "limit", "'limit'", "one of").suggests("limits"),
        bad("»Nodes: 3", "Nodes", "'Nodes'", "one of").suggests("nodes"),
        bad("»on_outage: deny", "on_outage", "'on_outage'", "one of").suggests("on-outage"),
        bad("»onOutage: deny", "onOutage", "'onOutage'", "one of").suggests("on-outage"),
        bad("»applicaton: a", "applicaton", "'applicaton'", "one of").suggests("application"),
        bad("»tires: {}", "tires", "'tires'", "one of").suggests("tiers"),
        bad("»batching: on", "batching", "'batching'", "one of"),
        bad("»<<: {}", "<<", "'<<'", "one of"),
        bad("»1: 2", "1", "'1'", "one of"),
        bad("nodes: 1\n»nodes: 2", "nodes", "a second 'nodes'", "it once"),
        bad("nodes: 1\n»\"nodes\": 1", "nodes", "a second 'nodes'", "it once"),
        bad("? »[a]\n: b", "", "a key that is not a name", "a name"),
        bad("»~: b", "", "a key that is not a name", "a name"));
  }

  static Stream<BadCase> nodes() {
    String expected = "a whole number from 1 to 10000";
    return Stream.of(
        bad("nodes: »0", "nodes", "'0'", expected),
        bad("nodes: »-1", "nodes", "'-1'", expected),
        bad("nodes: »10001", "nodes", "'10001'", expected),
        bad("nodes: »9223372036854775808", "nodes", "'9223372036854775808'", expected),
        bad("nodes: »3.5", "nodes", "'3.5'", expected),
        bad("nodes: ».NaN", "nodes", "'.NaN'", expected),
        bad("nodes: »NaN", "nodes", "'NaN'", expected),
        bad("nodes: ».inf", "nodes", "'.inf'", expected),
        bad("nodes: »1e309", "nodes", "'1e309'", expected),
        bad("nodes: »0x10", "nodes", "'0x10'", expected),
        bad("nodes: »1,000", "nodes", "'1,000'", expected).suggests("1_000"),
        bad("nodes: »1__0", "nodes", "'1__0'", expected),
        bad("nodes: »_1", "nodes", "'_1'", expected),
        bad("nodes: »three", "nodes", "'three'", expected),
        bad("nodes: »٣", "nodes", "'٣'", expected),
        bad("nodes: »3 nodes", "nodes", "'3 nodes'", expected),
        bad("nodes: »true", "nodes", "'true'", expected),
        bad("nodes: »[3]", "nodes", "a list", expected),
        bad("nodes: »[]", "nodes", "an empty list", expected),
        bad("nodes: »{ a: 1 }", "nodes", "a map", expected),
        bad("nodes: »~", "nodes", "nothing", expected),
        bad("nodes: »\"\"", "nodes", "nothing", expected),
        bad("nodes:»", "nodes", "nothing", expected),
        bad("nodes: »\"3\\u00003\"", "nodes", "'3\\u00003'", expected),
        bad("nodes: »'1\n  2'", "nodes", "'1 2'", expected),
        bad("nodes: »" + "9".repeat(500), "nodes", "'" + "9".repeat(80) + "…'", expected));
  }

  static Stream<BadCase> counters() {
    String expected = "a whole number from 1 to 1073741824";
    return Stream.of(
        bad("delays: »asnyc", "delays", "'asnyc'", "auto, async, on-thread").suggests("async"),
        bad("delays: »true", "delays", "'true'", "auto, async, on-thread"),
        bad("max-counters: »0", "max-counters", "'0'", expected),
        bad("max-counters: »-5", "max-counters", "'-5'", expected),
        bad("max-counters: »1073741825", "max-counters", "'1073741825'", expected),
        bad("max-counters: »100k", "max-counters", "'100k'", expected),
        bad("max-counters: »1e5", "max-counters", "'1e5'", expected),
        bad("max-counters: »[1]", "max-counters", "a list", expected),
        bad("max-counters:»", "max-counters", "nothing", expected),
        bad("»max-counter: 5", "max-counter", "'max-counter'", "one of").suggests("max-counters"));
  }

  static Stream<BadCase> choices() {
    return Stream.of(
        bad("on-outage: »alow", "on-outage", "'alow'", "allow, local, deny").suggests("allow"),
        bad("on-outage: »Deny", "on-outage", "'Deny'", "allow, local, deny").suggests("deny"),
        bad("on-outage: »open", "on-outage", "'open'", "allow, local, deny"),
        bad("on-outage: »[deny]", "on-outage", "a list", "allow, local, deny"),
        bad("on-outage:»", "on-outage", "nothing", "allow, local, deny"),
        bad("listener: »{}", "listener", "a map", "the name of a class"));
  }

  /** Classes that are no listeners. */
  static Stream<BadCase> classes() {
    return Stream.of(
        bad("listener: »com.example.Absent", "listener", "class 'com.example.Absent'", "can load"),
        bad("listener: »java.lang.String", "listener", "class 'java.lang.String'", "implements"));
  }

  static Stream<BadCase> redis() {
    String form = "redis://";
    return Stream.of(
        bad("»redis: redis://cache", "application", "nothing", "required with redis"),
        bad("application: »\"{shop}\"", "application", "'{shop}'", "without { and }"),
        bad("application: »[a]", "application", "a list", "a name for the keys"),
        bad("application: »''", "application", "nothing", "a name for the keys"),
        bad("application: a\nredis: »[a, b]", "redis", "a list", form),
        bad("application: a\nredis: »cache", "redis", "'cache'", form),
        bad("application: a\nredis: »http://cache", "redis", "'http://cache'", form),
        bad("application: a\nredis: »redis://c:0", "redis", "'redis://c:0'", "a port"),
        bad("application: a\nredis: { deadline: 1s }", "redis.uri", "nothing", form),
        map("uri: »{}", "redis.uri", "a map", form),
        map("uri: redis://c, »pasword: x", "redis.pasword", "'pasword'", "one of uri")
            .suggests("password"),
        map("uri: redis://c, »dedline: 1s", "redis.dedline", "'dedline'", "one of uri")
            .suggests("deadline"),
        map("uri: redis://c, batching: »yes", "redis.batching", "'yes'", "on, off").suggests("on"),
        map("uri: redis://c, »batchin: on", "redis.batchin", "'batchin'", "one of")
            .suggests("batching"),
        map(
            "uri: redis://c, »shared-trips: on",
            "redis.shared-trips",
            "'shared-trips'",
            "batching: on or off"),
        map("uri: redis://c, batching: »onn", "redis.batching", "'onn'", "on, off").suggests("on"),
        map("uri: redis://c, deny-cache: »of", "redis.deny-cache", "'of'", "off, or a length")
            .suggests("off"),
        map("uri: redis://c, deny-cache: »2", "redis.deny-cache", "'2'", "with its unit"),
        map("uri: redis://c, deny-cache: »2h", "redis.deny-cache", "'2h'", "from 1ms to 60s"),
        bad(
            "application: a\nredis: »{ uri: redis://c, clock: node }\n"
                + "limits: { x: { token-bucket: 1/s, leases: auto } }",
            "redis",
            "clock: node",
            "clock: redis, for the leases of x"),
        map("uri: redis://c, clock: »rediss", "redis.clock", "'rediss'", "redis, node")
            .suggests("redis"),
        map("uri: redis://c, clock: »local", "redis.clock", "'local'", "redis, node"),
        map("uri: redis://c, secret: »''", "redis.secret", "nothing", "a secret"),
        map("uri: redis://c, secret: »[hush]", "redis.secret", "a list", "a secret"),
        map("uri: redis://c, secret: »hush", "redis.secret", "a secret of 4 bytes", secret()),
        map("uri: redis://c, secret: »0123456789abcde", "redis.secret", fifteenBytes(), secret()),
        map("uri: redis://c, »username: weir", "redis.username", "'username'", "user, with"),
        map("uri: redis://c, »tls: on", "redis.tls", "'tls'", "starts with rediss"),
        bad(
            "application: a\nredis: »redis-cluster://u:hush@h1:7000,u:hush@h2:7001",
            "redis",
            "'redis-cluster://***@h2:7001'",
            "user:password@ once, before the first host"),
        bad("application: »redis://u:hush@h", "application", "'redis://***@h'", "not a URI"),
        bad("application: »u:hush@h", "application", "'***@h'", "a name, not a URI"),
        deadline("100", "'100'", "with its unit"),
        deadline("10 minuts", "'10 minuts'", "with its unit"),
        deadline("1.5s", "'1.5s'", "with its unit"),
        deadline("-1s", "'-1s'", "with its unit"),
        deadline("1e3ms", "'1e3ms'", "with its unit"),
        deadline("١٠٠ms", "'١٠٠ms'", "with its unit"),
        deadline("0ms", "'0ms'", "from 1ms to 60s"),
        deadline("2m", "'2m'", "from 1ms to 60s"),
        deadline("999999999999h", "'999999999999h'", "from 1ms to 60s"),
        deadline("99999999999999999999s", "'99999999999999999999s'", "with its unit"),
        deadline("~", "nothing", "with its unit"),
        deadline("PT0.1S", "'PT0.1S'", "with its unit").suggests("100ms"),
        deadline("PT2S", "'PT2S'", "with its unit").suggests("2s"),
        deadline("100mss", "'100mss'", "with its unit").suggests("100ms"));
  }

  private static String secret() {
    return "at least 16 bytes, as 'openssl rand -base64 32' makes";
  }

  private static String fifteenBytes() {
    return "a secret of 15 bytes";
  }

  private static BadCase map(String body, String field, String found, String expected) {
    return bad("application: a\nredis: { " + body + " }", field, found, expected);
  }

  private static BadCase deadline(String deadline, String found, String expected) {
    return map("uri: redis://c, deadline: »" + deadline, "redis.deadline", found, expected);
  }

  static Stream<BadCase> addresses() {
    return Stream.of(
        bad("client-address: »10.0.0.0/8", "client-address", "'10.0.0.0/8'", "a map with"),
        address(
                "trusted-proxies: »\"10.0.0.5, 192.168.0.0/16\"",
                "trusted-proxies",
                "'10.0.0.5, 192.168.0.0/16'",
                "a network such as")
            .suggests("[10.0.0.5, 192.168.0.0/16]"),
        address(
            "trusted-proxies: 10.0.0.5, »192.168.0.0/16",
            "192.168.0.0/16",
            "'192.168.0.0/16'",
            "[ ] around the list, as in [10.0.0.5, 192.0.2.7]"),
        address("trusted-proxies: »[]", "trusted-proxies", "an empty list", "networks"),
        address("trusted-proxies: »proxy", "trusted-proxies", "'proxy'", "a network such as"),
        address("trusted-proxies: [»{}]", "trusted-proxies[0]", "a map", "networks"),
        address("trusted-proxies: »\"\"", "trusted-proxies", "nothing", "networks"),
        address(
            "trusted-proxies: 10.0.0.0/8, header: »\"X Forwarded\"",
            "header",
            "'X Forwarded'",
            "a field name"),
        address("trusted-proxies: 10.0.0.0/8, header: »[a, b]", "header", "a list", "a field name"),
        address("ipv6-prefix: »0", "ipv6-prefix", "'0'", "a whole number from 48 to 128"),
        address("ipv6-prefix: »129", "ipv6-prefix", "'129'", "a whole number from 48 to 128"),
        address("ipv6-prefix: »/64", "ipv6-prefix", "'/64'", "a whole number from 48 to 128"),
        address("»trusted-proxy: 10.0.0.1", "trusted-proxy", "'trusted-proxy'", "one of")
            .suggests("trusted-proxies"),
        address("»hops: 2", "hops", "'hops'", "trusted-hops: how many addresses your proxies add"),
        address("»proxy-count: 2", "proxy-count", "'proxy-count'", "trusted-hops: how many"),
        address("»proxies: 10.0.0.1", "proxies", "'proxies'", "trusted-proxies: the addresses"),
        address("»headers: [X]", "headers", "'headers'", "in trusted-proxies for another one"),
        address("»nat-64: x", "nat-64", "'nat-64'", "one of trusted-proxies").suggests("nat64"),
        hops("»0", "'0'", "a whole number from 1 to 32"),
        hops("»33", "'33'", "a whole number from 1 to 32"),
        hops("»all", "'all'", "a whole number from 1 to 32"),
        hops("»[1, 2]", "a list", "a whole number from 1 to 32"),
        address(
            "nat64: »'2001:db8:64::'", "nat64", "'2001:db8:64::'", "of 32, 40, 48, 56, 64 or 96"),
        address("nat64: [»2001:db8:64::/80]", "nat64[0]", "'2001:db8:64::/80'", "or 96 bits"),
        address("nat64: »true", "nat64", "'true'", "a NAT64 prefix of 32, 40, 48, 56, 64 or 96"),
        address("nat64: »[]", "nat64", "an empty list", "a NAT64 prefix of your provider"),
        others("»{ header: X }", "[1].networks", "nothing", "addresses or networks of your"),
        others("»{ networks: 192.0.2.1 }", "[1].header", "nothing", "the header of these proxies"),
        others("{ networks: »proxy, header: X }", "[1].networks", "'proxy'", "a network such as"),
        others("{ networks: »[], header: X }", "[1].networks", "an empty list", "networks"),
        others("{ networks: [»{}], header: X }", "[1].networks[0]", "a map", "networks"),
        others("{ networks: 192.0.2.1, header: »'X Y' }", "[1].header", "'X Y'", "a field name"),
        others(
                "{ networks: 192.0.2.1, header: X, »hedaer: Y }",
                "[1].hedaer",
                "'hedaer'",
                "one of networks, header")
            .suggests("header"),
        others("»[192.0.2.1]", "[1]", "a list", "the addresses or networks of your proxies"));
  }

  private static BadCase hops(String hops, String found, String expected) {
    return address(
        "trusted-proxies: 10.0.0.1, trusted-hops: " + hops, "trusted-hops", found, expected);
  }

  /** With this as the second of the trusted proxies. */
  private static BadCase others(String item, String field, String found, String expected) {
    return address(
        "trusted-proxies: [10.0.0.1, " + item + "]", "trusted-proxies" + field, found, expected);
  }

  /** Proxies that cannot be trusted. */
  static Stream<BadCase> networks() {
    return Stream.of(
        bad(
            "client-address: »{ header: Forwarded }",
            "client-address.trusted-proxies",
            "nothing",
            "never read"),
        address(
            "trusted-proxies: [10.0.0.0/8, »10.0.0.0/33]",
            "trusted-proxies[1]",
            "'10.0.0.0/33'",
            "a network such as"),
        address(
            "trusted-proxies: »0.0.0.0/0", "trusted-proxies", "'0.0.0.0/0'", "proxies' networks"),
        address(
            "trusted-proxies: »[0.0.0.0/1, 128.0.0.0/1]",
            "trusted-proxies",
            "[0.0.0.0/1, 128.0.0.0/1]",
            "proxies' networks"),
        address("trusted-proxies: »10.0.0.1/8", "trusted-proxies", "'10.0.0.1/8'", "10.0.0.0/8"),
        bad(
            "client-address: »{ trusted-hops: 2 }",
            "client-address.trusted-proxies",
            "nothing",
            "or unix, or else no hop is counted"),
        address(
            "trusted-proxies: { networks: 10.0.0.1, header: X }, trusted-hops: »2",
            "trusted-hops",
            "'2'",
            "a proxy without a header of its own in 'trusted-proxies', or else this is never used"),
        address(
            "trusted-proxies: [10.0.0.1, { networks: 10.0.0.2, header: »x-forwarded-for }], trusted-hops: 2",
            "trusted-proxies[1].header",
            "'x-forwarded-for'",
            "another header than 'X-Forwarded-For', which 'trusted-hops' counts"),
        address(
            "trusted-proxies: [{ networks: 10.0.0.1, header: X }], header: »Forwarded",
            "header",
            "'Forwarded'",
            "a proxy without a header of its own in 'trusted-proxies'"),
        others(
            "{ networks: »[192.0.2.1, 10.0.0.1], header: X }",
            "[1].networks",
            "'10.0.0.1'",
            "each network once, with 'X-Forwarded-For' or with 'X'"),
        others(
            "{ networks: [192.0.2.1, »0.0.0.0/0], header: X }",
            "[1].networks[1]",
            "'0.0.0.0/0'",
            "your proxies' networks; when all are trusted, clients choose an address"),
        others("{ networks: »Unix, header: X }", "[1].networks", "'Unix'", "unix, which trusts")
            .suggests("unix"),
        address(
            "nat64: »64:ff9b::/96",
            "nat64",
            "'64:ff9b::/96'",
            "a prefix of your provider: 64:ff9b::/96 always counts as IPv4"),
        address(
            "nat64: »2001:db8:64::1/96",
            "nat64",
            "'2001:db8:64::1/96'",
            "2001:db8:64::/96, with nothing behind the prefix"),
        address(
            "nat64: »'2001:db8:64:0:100::/96'",
            "nat64",
            "'2001:db8:64:0:100::/96'",
            "a prefix whose bits 64 to 71 are zero, as RFC 6052 has it"),
        address(
            "nat64: »[2001:db8:64::/96, 2001:db8::/32]",
            "nat64",
            "'2001:db8::/32'",
            "prefixes that do not overlap"),
        address(
            "trusted-proxies: '2001:db8:64::a00:1', nat64: »'2001:db8:64::/96'",
            "nat64",
            "[2001:db8:64::/96]",
            "no trusted proxy there: list it by its IPv4 address"));
  }

  private static BadCase address(String body, String field, String found, String expected) {
    return bad("client-address: { " + body + " }", "client-address." + field, found, expected);
  }

  static Stream<BadCase> flags() {
    return Stream.of(
        bad("paths: { ignore-case: »yes }", "paths.ignore-case", "'yes'", "true, false")
            .suggests("true"),
        bad("paths: { ignore-case: »on }", "paths.ignore-case", "'on'", "true, false")
            .suggests("true"),
        bad("paths: { ignore-case: »1 }", "paths.ignore-case", "'1'", "true, false")
            .suggests("true"),
        bad("paths: { ignore-case: »True }", "paths.ignore-case", "'True'", "true, false")
            .suggests("true"),
        bad("paths: { ignore-case: »[true] }", "paths.ignore-case", "a list", "true, false"),
        bad("paths: { »ignorecase: true }", "paths.ignorecase", "'ignorecase'", "one of")
            .suggests("ignore-case"),
        bad("paths: »true", "paths", "'true'", "a map with"),
        bad("responses: { denied: »page }", "responses.denied", "'page'", "problem, error-page"),
        bad("responses: { denied: »errorpage }", "responses.denied", "'errorpage'", "error-page")
            .suggests("error-page"),
        bad(
                "responses: { fields: »draft-8 }",
                "responses.fields",
                "'draft-8'",
                "draft-11, draft-7, draft-6, off")
            .suggests("draft-11"),
        bad("responses: { legacy-headers: »x }", "responses.legacy-headers", "'x'", "true, false"),
        bad("responses: »problem", "responses", "'problem'", "a map with"));
  }

  static Stream<BadCase> references() {
    return Stream.of(
        bad("nodes: »${ABSENT}", "nodes", "${ABSENT}, which is not set", "${ABSENT:-default}"),
        bad("nodes: »${ZERO}", "nodes", "'0'", "a whole number from 1"),
        bad("nodes: »${ABSENT:-x}", "nodes", "'x'", "a whole number from 1"),
        bad("nodes: »${BLANK}", "nodes", "nothing", "a whole number from 1"),
        bad("nodes: »${MULTI}", "nodes", "'1\\u000arules: []'", "a whole number from 1"),
        bad(
            "nodes: »${ZERO",
            "nodes",
            "a '${' that begins no reference",
            "${NAME} or ${NAME:-default}"),
        bad(
            "nodes: »${}",
            "nodes",
            "a '${' that begins no reference",
            "${NAME} or ${NAME:-default}"),
        bad("»${ZERO}: 1", "${ZERO}", "'${ZERO}'", "one of application"),
        bad("redis: { uri: $»{X} }", "", "character '{'", "in quotes inside { }"),
        bad(
            "application: a\nredis: »${ABSENT}",
            "redis",
            "${ABSENT}, which is not set",
            "a variable of"));
  }
}
