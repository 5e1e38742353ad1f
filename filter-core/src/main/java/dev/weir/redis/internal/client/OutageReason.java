package dev.weir.redis.internal.client;

import dev.weir.internal.Redaction;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The reason of a failure in one printable line, with the cure if the failure has a known one.
 *
 * <p>An outage may begin with a time-out, and a later attempt may find the reason. So reasons are
 * ordered by what they say, see {@link #saysMoreThan}.
 *
 * @param text names no value of ours: replies of Redis and exceptions of sockets have none
 * @param cure what was expected; empty if unknown
 */
public record OutageReason(String text, Optional<String> cure, boolean isTimeOut) {

  /** How a cure begins. */
  static final String EXPECTED = "(expected: ";

  private static final int LONGEST = 300;

  private static final String NODES_CLOCK =
      "'clock: node' under 'redis', if this server forbids TIME in scripts. Each node's own clock"
          + " then decides, and one that is ahead by s seconds spends s seconds of refill early";

  private static final String BY_KEY_STORE =
      ", by 'certificate-file' under redis, or by javax.net.ssl.keyStore or an SSLContext if redis"
          + " names no files";

  private static final String HOST_EXPECTED =
      "the host of redis.uri in the certificate, or a host that it names in 'addresses' under redis,"
          + " where a cluster announces addresses";

  private static final String LIBRARIES =
      "the versions of libraries that Weir is built with, or its -all jar, if one of them has this"
          + " class";

  /** What was expected, by a part of the text of a failure. The parts exclude each other. */
  private static final Map<String, String> CURES =
      Map.ofEntries(
          Map.entry("Connection refused", "the host and port of a Redis that runs, in redis.uri"),
          Map.entry("UnknownHostException", "a host in redis.uri that this machine can resolve"),
          Map.entry(
              "NOAUTH",
              "user:password@ or :password@ before the host in redis.uri, or 'password' or"
                  + " 'password-file' under redis"),
          Map.entry(
              "WRONGPASS",
              "the user and password that this server knows, in redis.uri, or under redis or in the"
                  + " files that it names"),
          Map.entry("invalid password", "the password that this server knows, in redis.uri"),
          Map.entry(
              "without any password configured",
              "no password in redis.uri, or requirepass in the server's configuration"),
          Map.entry(
              "DB index is out of range", "a database in redis.uri that the server's number has"),
          Map.entry("unknown command 'SELECT'", "no database in redis.uri behind this proxy"),
          Map.entry("cluster support disabled", "redis:// in redis.uri, since this is no cluster"),
          Map.entry("unknown command 'SENTINEL'", "the addresses of sentinels in redis.uri"),
          Map.entry("unknown command `SENTINEL`", "the addresses of sentinels in redis.uri"),
          Map.entry(
              "know no master", "the name after the sentinels in redis.uri as they monitor it"),
          Map.entry("not allowed from script", NODES_CLOCK),
          Map.entry("after non deterministic commands", NODES_CLOCK),
          Map.entry("Unknown Redis command", NODES_CLOCK),
          Map.entry("certificate_required", "a client certificate" + BY_KEY_STORE),
          Map.entry(
              "handshake_failure",
              "a client certificate if the server requires one" + BY_KEY_STORE),
          Map.entry(
              "bad_certificate", "a client certificate that the server trusts" + BY_KEY_STORE),
          Map.entry("unknown_ca", "a client certificate that the server trusts" + BY_KEY_STORE),
          Map.entry(
              "certificate_expired", "a client certificate that has not expired" + BY_KEY_STORE),
          Map.entry(
              "PKIX path",
              "a certificate that this JVM trusts, by 'ca-file' under redis,"
                  + " javax.net.ssl.trustStore or an SSLContext"),
          Map.entry("java.lang.NoClassDefFoundError", LIBRARIES),
          Map.entry("java.lang.NoSuchMethodError", LIBRARIES),
          Map.entry("No subject alternative", HOST_EXPECTED),
          Map.entry("No name matching", HOST_EXPECTED));

  public static OutageReason of(Throwable error) {
    @Nullable String message = error.getMessage();
    String line = Redaction.printable(message == null ? error.getClass().getSimpleName() : message);
    boolean hasCure = line.contains(EXPECTED);
    Optional<String> cure =
        CURES.entrySet().stream()
            .filter(each -> !hasCure && line.contains(each.getKey()))
            .map(Map.Entry::getValue)
            .findFirst();
    String text = line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    return new OutageReason(text, cure, error instanceof TimedOutException);
  }

  /** Returns whether this says more: a known cure, else a guess, else any reason but a time-out. */
  public boolean saysMoreThan(OutageReason other) {
    return rank() > other.rank();
  }

  private int rank() {
    if (isTimeOut) {
      return 0;
    }
    if (cure.isPresent()) {
      return 3;
    }
    return text.contains(EXPECTED) ? 2 : 1; // what is expected of a lost connection is a guess
  }

  @Override
  public String toString() {
    return cure.map(it -> text + " " + EXPECTED + it + ")").orElse(text);
  }
}
