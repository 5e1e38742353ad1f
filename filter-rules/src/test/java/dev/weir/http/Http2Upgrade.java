package dev.weir.http;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * The upgrade of a client's connection to HTTP/2, by a request that no test counts. Jetty may reset
 * the stream of that request right after its answer, which the JDK's client reports as a failure.
 * The connection is upgraded all the same, and the next request shows it.
 */
public final class Http2Upgrade {

  private static final int MOST_REQUESTS = 5;

  private Http2Upgrade() {}

  /**
   * Upgrades the connection, if the client is one of HTTP/2.
   *
   * @param headers names and values in turn
   */
  public static void of(HttpClient client, URI uri, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    HttpRequest upgrading =
        headers.length == 0 ? request.build() : request.headers(headers).build();
    for (int i = 0; client.version() == Version.HTTP_2; i++) {
      try {
        if (client.send(upgrading, BodyHandlers.discarding()).version() == Version.HTTP_2) {
          return;
        }
      } catch (IOException reset) {
        if (i == MOST_REQUESTS) {
          throw reset;
        }
      }
    }
  }
}
