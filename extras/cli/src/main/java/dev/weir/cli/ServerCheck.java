package dev.weir.cli;

import dev.weir.redis.RedisConsole;
import dev.weir.redis.RedisConsole.Refused;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisOptions.Clock;
import dev.weir.store.StoreUnavailableException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the doctor looks at on one server. */
final class ServerCheck {

  private static final int ROUND_TRIPS = 50;
  private static final int MOST_TAGS = 1_000;
  private static final double LONGEST_CLOCK_SECONDS = 1;
  private static final String MEMORY = "docs/redis.md#memory";
  private static final String DEADLINE = "docs/redis.md#deadline-clock-and-connections";

  private final RedisConsole console;
  private final RedisOptions options;

  /** The deadline of the application, which that of a command may exceed. */
  private final Duration deadline;

  private final List<Finding> findings = new ArrayList<>();

  ServerCheck(RedisConsole console, RedisOptions options, Duration deadline) {
    this.console = console;
    this.options = options;
    this.deadline = deadline;
  }

  List<Finding> findings() throws StoreUnavailableException {
    boolean isCluster = options.location().contains("-cluster");
    Map<String, String> info = info();
    checkVersion(info);
    checkRoundTrip();
    checkClock();
    List<String> keys = ownKeys(isCluster ? 2 : 1);
    if (!keys.isEmpty()) {
      checkRights(keys.get(0), isCluster);
      checkTimeInScripts(keys.get(0));
    }
    checkMemory(info);
    if (isCluster && keys.size() == 2) {
      checkAcrossSlots(keys);
    }
    checkTls();
    return findings;
  }

  private void checkVersion(Map<String, String> info) {
    String version = info.getOrDefault("redis_version", "");
    String at = " at " + console.address();
    if (version.isEmpty()) {
      findings.add(
          Finding.warning(
              "a server of unknown version" + at,
              "the right +info, with which Weir also sees that an address leads to another server",
              "docs/redis.md#the-user-for-weir"));
      return;
    }
    String major = version.split("\\.", 2)[0];
    findings.add(
        major.matches("[0-4]")
            ? Finding.fail("Redis " + version + at, "Redis 6.2 or newer", "docs/redis.md#servers")
            : Finding.ok("Redis " + version + at));
  }

  private void checkRoundTrip() throws StoreUnavailableException {
    long[] nanos = new long[ROUND_TRIPS];
    for (int i = 0; i < nanos.length; i++) {
      long begun = System.nanoTime();
      Object unused = call("PING").orElse("");
      nanos[i] = System.nanoTime() - begun;
    }
    Arrays.sort(nanos);
    double median = nanos[ROUND_TRIPS / 2] / 1e6;
    double slow = nanos[ROUND_TRIPS * 99 / 100] / 1e6;
    String text =
        String.format(
            Locale.ROOT,
            "round trip %.2f ms, p99 %.2f ms; deadline %d ms",
            median,
            slow,
            deadline.toMillis());
    boolean isNear = slow * 2 < deadline.toMillis();
    findings.add(
        isNear
            ? Finding.ok(text)
            : Finding.warning(text, "a deadline of several round trips", DEADLINE));
  }

  private void checkClock() throws StoreUnavailableException {
    double begun = System.currentTimeMillis() / 1e3;
    Optional<Object> reply = call("TIME");
    double ended = System.currentTimeMillis() / 1e3;
    if (reply.isEmpty() || !(reply.get() instanceof List<?> time) || time.size() != 2) {
      return; // the rights say so
    }
    double server =
        Double.parseDouble(String.valueOf(time.get(0)))
            + Double.parseDouble(String.valueOf(time.get(1))) / 1e6;
    double ahead = server - (begun + ended) / 2;
    String text =
        String.format(
            Locale.ROOT,
            "its clock is %.3f s %s that of this machine",
            Math.abs(ahead),
            ahead < 0 ? "behind" : "ahead of");
    findings.add(
        Math.abs(ahead) < LONGEST_CLOCK_SECONDS
            ? Finding.ok(text)
            : Finding.warning(text, "NTP on both: calendar windows follow the clock", DEADLINE));
  }

  private void checkRights(String key, boolean isCluster) throws StoreUnavailableException {
    boolean isSentinel = options.location().contains("-sentinel");
    List<String> missing = new Rights(console, key).missing(isCluster, isSentinel);
    findings.add(
        missing.isEmpty()
            ? Finding.ok("rights: all commands that Weir needs")
            : Finding.fail(
                "rights: " + String.join(", ", missing) + " refused",
                "ACL SETUSER with these commands, and with the keys ~"
                    + options.application()
                    + ":*",
                "docs/redis.md#the-user-for-weir"));
  }

  private void checkTimeInScripts(String key) throws StoreUnavailableException {
    if (options.clock() == Clock.NODE) {
      return;
    }
    try {
      Object unused = console.call("EVAL", "return redis.call('TIME')", "1", key);
    } catch (Refused refused) {
      findings.add(
          Finding.fail(
              "TIME is refused in scripts",
              "clock: node under redis, or the right +time",
              "docs/redis.md#managed-services"));
    }
  }

  private void checkMemory(Map<String, String> info) {
    String policy = info.getOrDefault("maxmemory_policy", "");
    if (policy.isEmpty()) {
      return; // INFO is refused, which the version says
    }
    findings.add(
        policy.equals("noeviction")
            ? Finding.ok("maxmemory-policy noeviction")
            : Finding.fail(
                "maxmemory-policy " + policy + ": an evicted counter is a forgotten limit",
                "CONFIG SET maxmemory-policy noeviction",
                MEMORY));
    if (info.getOrDefault("maxmemory", "").equals("0")) {
      findings.add(
          Finding.warning(
              "no maxmemory: made-up keys can fill the memory of the machine",
              "CONFIG SET maxmemory, with an alarm on used_memory",
              MEMORY));
    } else {
      findings.add(Finding.ok("maxmemory " + info.getOrDefault("maxmemory_human", "is set")));
    }
  }

  private void checkAcrossSlots(List<String> keys) throws StoreUnavailableException {
    try {
      Object unused = console.call("EVAL", "return 1", "2", keys.get(0), keys.get(1));
      findings.add(Finding.ok("scripts across slots: allowed, so a batch is one call"));
    } catch (Refused refused) {
      findings.add(Finding.ok("scripts across slots: refused, so a batch is a call for each slot"));
    }
  }

  private void checkTls() {
    String host = console.address().replaceFirst(":[0-9]+$", "").replaceAll("[\\[\\]]", "");
    if (options.location().startsWith("rediss")) {
      findings.add(Finding.ok("TLS"));
      return;
    }
    try {
      if (!isPublic(InetAddress.getByName(host))) {
        return;
      }
    } catch (UnknownHostException unknown) {
      return;
    }
    findings.add(
        Finding.warning(
            console.address() + " is a public address, without TLS",
            "a URI that starts with rediss",
            "docs/redis.md#tls"));
  }

  static boolean isPublic(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean isUniqueLocal = bytes.length == 16 && (bytes[0] & 0xFE) == 0xFC;
    boolean isShared = bytes.length == 4 && bytes[0] == 100 && (bytes[1] & 0xC0) == 64;
    return !address.isLoopbackAddress()
        && !address.isSiteLocalAddress()
        && !address.isLinkLocalAddress()
        && !address.isAnyLocalAddress()
        && !isUniqueLocal
        && !isShared;
  }

  /** Returns this many keys on this server, each with a tag of its own, that nobody has. */
  private List<String> ownKeys(int number) throws StoreUnavailableException {
    String random = Long.toHexString(ThreadLocalRandom.current().nextLong());
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < MOST_TAGS && keys.size() < number; i++) {
      String key = options.nodesKey().replace("{nodes}", "{doctor-" + random + "-" + i + "}");
      if (isHere(key)) {
        keys.add(key);
      }
    }
    return keys;
  }

  private boolean isHere(String key) throws StoreUnavailableException {
    try {
      Object unused = console.call("GET", key);
      return true;
    } catch (Refused refused) {
      return !String.valueOf(refused.getMessage()).startsWith("MOVED");
    }
  }

  private Map<String, String> info() throws StoreUnavailableException {
    return Stream.of("server", "memory")
        .flatMap(section -> lines(section))
        .map(line -> line.split(":", 2))
        .filter(parts -> parts.length == 2)
        .collect(
            Collectors.toMap(parts -> parts[0], parts -> parts[1].strip(), (one, same) -> one));
  }

  private Stream<String> lines(String section) {
    try {
      return call("INFO", section).map(Object::toString).orElse("").lines();
    } catch (StoreUnavailableException gone) {
      throw Failure.notReached(gone);
    }
  }

  /** Returns the reply; empty if the server refuses, or replies nothing. */
  private Optional<Object> call(String command, String... arguments)
      throws StoreUnavailableException {
    try {
      return Optional.ofNullable(console.call(command, arguments));
    } catch (Refused refused) {
      return Optional.empty();
    }
  }
}
