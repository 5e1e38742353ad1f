package dev.weir.demo.server;

import java.net.URI;
import org.eclipse.jetty.server.Handler;

/** Where the nodes of the demo keep their counters. */
sealed interface Backend {

  /** What weir.yaml takes as the URI of Redis; empty for none. */
  String uri();

  /** What the demo answers itself, before the application. */
  default Handler[] handlers() {
    return new Handler[0];
  }

  /** A Redis of our own, which the page may freeze and kill. */
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

  /** A Redis that was there before. */
  record Given(URI redis) implements Backend {

    @Override
    public String uri() {
      return redis.toString();
    }

    /** Without what may be a password. */
    @Override
    public String toString() {
      String authority = redis.getRawAuthority();
      return "Redis at " + authority.substring(authority.lastIndexOf('@') + 1);
    }
  }

  /** None: every node counts for itself. */
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
