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
 * @param name by which a server lists the connection; null for none
 */
public record Access(
    @Nullable Supplier<SSLSocketFactory> tls,
    boolean checksHost,
    Supplier<Login> login,
    @Nullable Supplier<Login> sentinelLogin,
    Map<Host, Host> addresses,
    @Nullable String name) {

  public Access {
    addresses = Map.copyOf(addresses);
  }

  /** Returns an access without TLS, to servers that are reached where they say. */
  public static Access plain(Login login) {
    return new Access(null, true, () -> login, null, Map.of(), null);
  }

  /** Returns the same access, with this name of each connection. */
  public Access named(@Nullable String other) {
    return new Access(tls, checksHost, login, sentinelLogin, addresses, other);
  }

  Host reached(Host announced) {
    return addresses.getOrDefault(announced, announced);
  }
}
