package dev.weir.redis;

import dev.weir.redis.internal.client.Host;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A parsed Redis URI; {@link RedisOptions} documents its forms.
 *
 * @param hosts one host; several for sentinels and cluster nodes
 * @param master the name of the primary at the sentinels; empty without sentinels
 */
record RedisUri(
    Kind kind,
    boolean tls,
    List<Host> hosts,
    String master,
    @Nullable String user,
    @Nullable String password,
    int database) {

  /** The kind of deployment that the URI names. */
  enum Kind {
    STANDALONE("redis", 6379),
    SENTINEL("redis-sentinel", 26379),
    CLUSTER("redis-cluster", 6379);

    final String scheme;
    final int port;

    Kind(String scheme, int port) {
      this.scheme = scheme;
      this.port = port;
    }
  }

  RedisUri {
    hosts = List.copyOf(hosts);
  }

  static RedisUri parse(String text) {
    return new RedisUriParser(text).parse();
  }

  /** Returns the URI without credentials. */
  @Override
  public String toString() {
    String all = hosts.stream().map(Host::toString).collect(Collectors.joining(","));
    String scheme = tls ? kind.scheme.replace("redis", "rediss") : kind.scheme;
    String path = (master.isEmpty() ? "" : "/" + master) + (database == 0 ? "" : "/" + database);
    return scheme + "://" + all + path;
  }
}
