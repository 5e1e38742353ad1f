package dev.weir.demo.server;

import java.io.Serial;
import java.util.List;

/** Thrown when no redis-server runs here; the message gives the reasons and the remedies. */
final class RedisMissingException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  RedisMissingException(List<String> reasons) {
    super(
        "No redis-server runs here ("
            + String.join("; ", reasons)
            + "). Install redis-server, or libssl 3 for the embedded one, or name a Redis with"
            + " --redis URI.");
  }
}
