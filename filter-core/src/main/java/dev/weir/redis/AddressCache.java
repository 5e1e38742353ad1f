package dev.weir.redis;

import java.security.Security;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The time for which this JVM keeps the address of a name. A failover by DNS is followed as late.
 * The JVM's properties are read, and never set.
 */
final class AddressCache {

  private static final int LONGEST_SECONDS = 5;
  private static final int DEFAULT_SECONDS = 30;

  private AddressCache() {}

  /**
   * Returns a warning if the URI has a name whose address is kept for long. Sentinels and clusters
   * name the primary themselves.
   */
  static Optional<String> warning(RedisUri uri) {
    String name = uri.hosts().get(0).name();
    boolean isAddress = name.indexOf(':') >= 0 || name.matches("[0-9.]+");
    int seconds = seconds();
    if (uri.kind() != RedisUri.Kind.STANDALONE
        || isAddress
        || name.equalsIgnoreCase("localhost")
        || (0 <= seconds && seconds <= LONGEST_SECONDS)) {
      return Optional.empty();
    }
    String time = seconds < 0 ? "until it ends" : "for " + seconds + " s";
    return Optional.of(
        "redis.uri: this JVM keeps the address of "
            + name
            + " "
            + time
            + ", so it follows a failover by DNS as late (expected: networkaddress.cache.ttl of at"
            + " most "
            + LONGEST_SECONDS
            + " in java.security, or -Dsun.net.inetaddr.ttl=5)");
  }

  /** Returns the time as the JDK finds it; negative for ever. */
  private static int seconds() {
    try {
      OptionalInt set = number(Security.getProperty("networkaddress.cache.ttl"));
      return set.isPresent()
          ? set.getAsInt()
          : number(System.getProperty("sun.net.inetaddr.ttl")).orElse(DEFAULT_SECONDS);
    } catch (SecurityException unknown) {
      return DEFAULT_SECONDS;
    }
  }

  private static OptionalInt number(@Nullable String text) {
    try {
      return text == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text.strip()));
    } catch (NumberFormatException ignoredByTheJdkToo) {
      return OptionalInt.empty();
    }
  }
}
