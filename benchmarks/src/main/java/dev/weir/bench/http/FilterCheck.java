package dev.weir.bench.http;

import dev.weir.bench.http.Application.Kind;
import dev.weir.bench.peer.Numbers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/**
 * A check of what is to be compared, on a server of its own: each variant of each application
 * grants the one permit of a scarce limit, denies the next request, and tells both in the same
 * fields.
 */
final class FilterCheck {

  private static final int OK = 200;
  private static final List<String> FIELDS = List.of("RateLimit", "RateLimit-Policy");

  /** The first request takes the only permit. */
  private static final String NONE_REMAIN = "r=0;";

  private FilterCheck() {}

  /**
   * @param redis its URI
   * @throws IllegalStateException when a filter does anything else
   */
  static void of(List<Application> applications, String redis) throws Exception {
    try (WebServer server = new WebServer()) {
      for (Application one : applications) {
        one.deploy(server, redis, Numbers.SCARCE);
      }
      server.start();
      for (Application one : applications) {
        for (String name : one.names()) {
          check(server, name, one.kind());
        }
      }
    }
  }

  static void check(WebServer server, String name, Kind kind) throws Exception {
    boolean isLimited = kind != Kind.UNLIMITED;
    require(name, isLimited, OK, sent(server, name));
    require(name, isLimited, isLimited ? Application.TOO_MANY_REQUESTS : OK, sent(server, name));
  }

  /** Sends a request of the same client each time. */
  private static HttpResponse<Void> sent(WebServer server, String name)
      throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.port() + "/" + name + "/");
    HttpRequest request = HttpRequest.newBuilder(uri).header("X-API-Key", "check-" + name).build();
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .build()
        .send(request, BodyHandlers.discarding());
  }

  private static void require(
      String name, boolean isLimited, int status, HttpResponse<Void> response) {
    if (response.statusCode() != status) {
      throw new IllegalStateException(
          "%s: status %d (expected: %d)".formatted(name, response.statusCode(), status));
    }
    for (String field : FIELDS) {
      if (response.headers().firstValue(field).isPresent() != isLimited) {
        throw new IllegalStateException(
            "%s: field %s (expected: %s)"
                .formatted(name, field, isLimited ? "in each response" : "in none"));
      }
    }
    String state = response.headers().firstValue(FIELDS.get(0)).orElse("");
    if (isLimited && !state.contains(NONE_REMAIN)) {
      throw new IllegalStateException(
          "%s: RateLimit: %s (expected: %s)".formatted(name, state, NONE_REMAIN));
    }
  }
}
