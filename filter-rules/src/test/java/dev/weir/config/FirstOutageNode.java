package dev.weir.config;

import dev.weir.http.FakeRequest;
import java.util.function.Function;

/** A node that is driven through a class loader of its own: by strings, which both sides know. */
public final class FirstOutageNode implements Function<String, String>, AutoCloseable {

  private static final int REQUESTS = 20;

  private final Weir weir;

  /**
   * @param uri of Redis
   */
  public FirstOutageNode(String uri) {
    String yaml =
        """
        application: first
        redis: { uri: "%s", deadline: 5s }
        rules: [{ name: all, match: /**, limits: [1000 per hour, 1000 per day window] }]
        """
            .formatted(uri);
    weir = Weir.open(Weirs.webInf(yaml, Weirs.application()));
  }

  /** Decides on some requests for this path. Returns the store that decides then. */
  @Override
  public String apply(String path) {
    for (int i = 0; i < REQUESTS; i++) {
      boolean unused = Weirs.passes(weir, FakeRequest.get(path));
    }
    return weir.status().store().name();
  }

  @Override
  public void close() {
    weir.close();
  }
}
