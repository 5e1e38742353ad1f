package dev.weir.redis;

import dev.weir.fixture.FreePorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The servers of each kind of URI: a cluster has three primaries, and there is one sentinel. Those
 * for TLS have a port without it too, so that a test can inspect them.
 */
public final class ServersByScheme {

  private static final int PRIMARIES = 3;

  private final RedisVersion version;
  private final TlsFiles files;

  private ServersByScheme(RedisVersion version, TlsFiles files) {
    this.version = version;
    this.files = files;
  }

  /** Returns the schemes of all kinds of URIs. */
  public static Stream<String> schemes() {
    return Stream.of(
        "redis", "rediss", "redis-sentinel", "rediss-sentinel", "redis-cluster", "rediss-cluster");
  }

  /** Starts the servers for a URI with this scheme. */
  public static RedisServers start(String scheme, RedisVersion version, TlsFiles files) {
    return new ServersByScheme(version, files).start(scheme);
  }

  private RedisServers start(String scheme) {
    return switch (scheme) {
      case "redis" -> RedisServers.alone(version);
      case "rediss" -> alone();
      case "redis-sentinel" -> RedisServers.sentinels(version, 1);
      case "rediss-sentinel" -> sentinel();
      case "redis-cluster" -> RedisServers.cluster(version, PRIMARIES);
      case "rediss-cluster" -> cluster();
      default -> throw new IllegalArgumentException(scheme);
    };
  }

  private RedisServers alone() {
    int tlsPort = FreePorts.next();
    return new RedisServers(List.of(server(tlsPort)), "rediss://127.0.0.1:" + tlsPort);
  }

  private RedisServers sentinel() {
    int primary = FreePorts.next();
    int port = FreePorts.next();
    int tlsPort = FreePorts.next();
    Path file = RedisServers.sentinelFile(port, primary);
    List<String> arguments = new ArrayList<>(List.of(file.toString(), "--sentinel"));
    arguments.addAll(files.tlsArguments(tlsPort));
    List<RedisServer> servers =
        List.of(
            server(primary), RedisServer.startOn(version, port, arguments.toArray(String[]::new)));
    return new RedisServers(servers, "rediss-sentinel://127.0.0.1:" + tlsPort + "/main");
  }

  private RedisServers cluster() {
    List<RedisServer> nodes = new ArrayList<>();
    int first = FreePorts.next();
    for (int i = 0; i < PRIMARIES; i++) {
      nodes.add(server(i == 0 ? first : FreePorts.next(), "--cluster-enabled", "yes"));
    }
    RedisServers.join(nodes, first);
    return new RedisServers(nodes, "rediss-cluster://127.0.0.1:" + first);
  }

  private RedisServer server(int tlsPort, String... further) {
    List<String> arguments = new ArrayList<>(files.tlsArguments(tlsPort));
    arguments.addAll(List.of(further));
    return RedisServer.start(version, arguments.toArray(String[]::new));
  }
}
