package dev.weir.redis.internal.client;

import dev.weir.redis.internal.client.RedisConnection.Login;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a connection needs to reach a server, and to be accepted by it. The suppliers are called for
 * each connection, since credentials and certificates rotate.
 *
 * @param tls the sockets for TLS; null for connections without TLS
 * @param checksHost whether a certificate must name the host that has it
 * @param login at a server with counters
 * @param sentinelLogin at a sentinel; null to log in only where a sentinel requires it, by the user
 *     and password of the servers
 * @param addresses where a server is reached, by the address that it announces; others are reached
 *     where they say
 */
public record Access(
    @Nullable Supplier<SSLSocketFactory> tls,
    boolean checksHost,
    Supplier<Login> login,
    @Nullable Supplier<Login> sentinelLogin,
    Map<Host, Host> addresses) {

  public Access {
    addresses = Map.copyOf(addresses);
  }

  /** Returns an access without TLS, to servers that are reached where they say. */
  public static Access plain(Login login) {
    return new Access(null, true, () -> login, null, Map.of());
  }

  Host reached(Host announced) {
    return addresses.getOrDefault(announced, announced);
  }
}
