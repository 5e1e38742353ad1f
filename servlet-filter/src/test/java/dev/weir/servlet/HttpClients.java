package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.http.Http2Upgrade;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** A client that speaks one version of HTTP. It keeps no cookies and follows no redirects. */
record HttpClients(HttpClient client, URI base, Version version) implements AutoCloseable {

  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** A version of HTTP. */
  enum Protocol {
    HTTP_1_1(Version.HTTP_1_1),
    HTTP_2(Version.HTTP_2);

    private final Version version;

    Protocol(Version version) {
      this.version = version;
    }

    /** Returns a client. Over HTTP/2 its first request, which no test counts, upgrades it. */
    HttpClients client(URI base) {
      HttpClients client =
          new HttpClients(HttpClient.newBuilder().version(version).build(), base, version);
      client.upgrade();
      return client;
    }
  }

  private void upgrade() {
    try {
      Http2Upgrade.of(client, URI.create(base + "/free"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException());
    }
  }

  int get(String path, String... headers) {
    HttpRequest.Builder request = request(base, path);
    return status(headers.length == 0 ? request.build() : request.headers(headers).build());
  }

  /** Returns the statuses of so many requests without a body, one after the other. */
  List<Integer> posts(String path, int times) {
    HttpRequest request = request(base, path).POST(BodyPublishers.noBody()).build();
    return IntStream.range(0, times).mapToObj(i -> status(request)).toList();
  }

  /** Returns the cookie of a new session that this path starts. */
  String session(String path) {
    HttpResponse<Void> response = send(request(base, path).build());
    return response.headers().firstValue("Set-Cookie").orElseThrow().split(";", 2)[0];
  }

  private int status(HttpRequest request) {
    HttpResponse<Void> response = send(request);
    assertThat(response.version()).isEqualTo(version);
    return response.statusCode();
  }

  private HttpResponse<Void> send(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.discarding());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new InterruptedIOException());
    }
  }

  private static HttpRequest.Builder request(URI base, String path) {
    return HttpRequest.newBuilder(URI.create(base + path)).timeout(TIMEOUT);
  }

  /** A client of Java 17 ends with its last reference. */
  @Override
  public void close() {}
}
