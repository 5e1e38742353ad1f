package dev.weir.redis.internal.client;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.util.SafeEncoder;

/**
 * Warnings about a server that works, but whose set-up harms limits or their data. Each kind comes
 * once. What a server does not say is no warning. Thread-safe.
 */
public final class ServerAdvice {

  private static final Duration MOST_SKEW = Duration.ofSeconds(1);

  private final Reports reports;
  private final AtomicBoolean hasWarnedOfEviction = new AtomicBoolean();
  private final AtomicBoolean hasWarnedOfPlainText = new AtomicBoolean();
  private final AtomicBoolean hasWarnedOfClock = new AtomicBoolean();

  public ServerAdvice(Reports reports) {
    this.reports = reports;
  }

  /**
   * Warns of a server that evicts keys when its memory is full.
   *
   * @param info the reply to {@code INFO memory}, or the refusal
   */
  void ofMemory(Host host, @Nullable Object info) {
    if (!(info instanceof byte[] text)) {
      return;
    }
    String memory = SafeEncoder.encode(text);
    boolean isBounded = value(memory, "maxmemory").filter(size -> !size.equals("0")).isPresent();
    Optional<String> evicting =
        value(memory, "maxmemory_policy").filter(policy -> !policy.equals("noeviction"));
    if (isBounded && evicting.isPresent() && !hasWarnedOfEviction.getAndSet(true)) {
      reports.warning(
          "Redis at %s evicts keys when its memory is full, by maxmemory-policy %s: an evicted counter is a forgotten limit, and its client begins anew. Set maxmemory-policy noeviction, or give Weir a Redis of its own"
              .formatted(host, evicting.get()));
    }
  }

  private static Optional<String> value(String info, String field) {
    Stream<String> lines = info.lines();
    return lines
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> line.substring(field.length() + 1).strip())
        .findFirst();
  }

  /** Warns of a connection without TLS if this address is public. */
  void ofPlainText(Host host, InetAddress address) {
    if (isPublic(address) && !hasWarnedOfPlainText.getAndSet(true)) {
      reports.warning(
          "redis.uri: the connection to %s has no TLS, and its address %s is public: the password and the digests of subjects travel in plain text. Use a URI that starts with rediss, or a private network"
              .formatted(host, address.getHostAddress()));
    }
  }

  /** Returns whether this address is outside of all networks that are private by their number. */
  static boolean isPublic(InetAddress address) {
    byte[] bytes = address.getAddress();
    boolean isOfCarrier = bytes.length == 4 && bytes[0] == 100 && (bytes[1] & 0xc0) == 64;
    boolean isUniqueLocal = bytes.length == 16 && (bytes[0] & 0xfe) == 0xfc;
    return !address.isLoopbackAddress()
        && !address.isAnyLocalAddress()
        && !address.isLinkLocalAddress()
        && !address.isSiteLocalAddress()
        && !isOfCarrier
        && !isUniqueLocal;
  }

  /**
   * Warns if the clocks of Redis and of this node differ by more than a second.
   *
   * @param skew how far the clock of Redis is ahead
   * @param error the most by which that may be wrong
   */
  public void ofClock(Duration skew, Duration error) {
    if (skew.abs().minus(error).compareTo(MOST_SKEW) > 0 && !hasWarnedOfClock.getAndSet(true)) {
      reports.warning(
          "the clock of Redis is %s s %s that of this node. Limits hold, since the clock of Redis decides. In an outage the clock of this node decides, also where aligned windows begin, and 'when' follows it always. Let NTP set both clocks"
              .formatted(
                  String.format(Locale.ROOT, "%.1f", skew.abs().toMillis() / 1000.0),
                  skew.isNegative() ? "behind" : "ahead of"));
    }
  }
}
