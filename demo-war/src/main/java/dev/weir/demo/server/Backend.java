package dev.weir.demo.server;

import java.net.URI;
import org.eclipse.jetty.server.Handler;

/** The store for the counters of the demo's nodes. */
sealed interface Backend {

  /** Returns the URI of Redis for weir.yaml; empty for none. */
  String uri();

  /** Returns the handlers that the demo runs before the application. */
  default Handler[] handlers() {
    return new Handler[0];
  }

  /** A Redis that the demo starts; the page may freeze and kill it. */
  record Embedded(EmbeddedRedis redis) implements Backend {

    @Override
    public String uri() {
      return redis.uri();
    }

    @Override
    public Handler[] handlers() {
      return new Handler[] {new RedisControl(redis)};
    }

    @Override
    public String toString() {
      RedisBinary binary = redis.binary();
      return "Redis %s (%s) at %s".formatted(binary.version(), binary.origin(), uri());
    }
  }

  /** A Redis that was running before. */
  record Given(URI redis) implements Backend {

    @Override
    public String uri() {
      return redis.toString();
    }

    /** Omits the user info, which may contain a password. */
    @Override
    public String toString() {
      String authority = redis.getRawAuthority();
      String hosts = authority.substring(authority.lastIndexOf('@') + 1);
      return "Redis at %s://%s, if it responds: the log says when it is out"
          .formatted(redis.getScheme(), hosts);
    }
  }

  /** No Redis: every node counts for itself. */
  record Local() implements Backend {

    @Override
    public String uri() {
      return "";
    }

    @Override
    public String toString() {
      return "in process, each node its share";
    }
  }
}
