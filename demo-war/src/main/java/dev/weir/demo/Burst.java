package dev.weir.demo;

import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A sender of the same requests to each kind of limit at the same time. The first request opens a
 * fixed window. One group of requests is sent just before that window ends and one just after,
 * which shows how windows differ. A steady stream follows, a little faster than the limits.
 *
 * <p>The node sends them and not the page: a browser opens six connections to a host and would hold
 * back the rest, so the picture would show that. A burst ends at the first answer that its caller
 * no longer reads.
 */
final class Burst implements AutoCloseable {

  /** When the requests to one limit are sent. */
  private static final List<Long> SENT_MILLIS =
      Stream.of(
              together(2, 0),
              together(14, 1_700),
              together(14, 2_300),
              LongStream.rangeClosed(1, 10).map(request -> 2_400 + 200 * request))
          .flatMap(LongStream::boxed)
          .toList();

  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /**
   * The result of one request.
   *
   * @param sentMillis since the burst began
   * @param atMillis when it was allowed or denied
   * @param status 0 when there was no answer
   */
  record Answer(Pattern pattern, long sentMillis, long atMillis, int status) {}

  /**
   * The transport of requests.
   *
   * @param sent sends one now
   * @param later runs its task after the given number of milliseconds
   */
  record Way(
      Function<HttpRequest, CompletableFuture<HttpResponse<String>>> sent,
      LongFunction<Executor> later) {

    static Way by(HttpClient client) {
      return new Way(
          request -> client.sendAsync(request, BodyHandlers.ofString()),
          millis -> CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS));
    }
  }

  private final Way way;
  private final URI patterns;

  /**
   * The subject of this burst alone, so that it begins with nothing used. It is kept secret, so
   * that no other caller's X-Burst can spend its permits.
   */
  private final String subject = UUID.randomUUID().toString();

  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final long startNanos = System.nanoTime();
  private volatile boolean isClosed;

  /**
   * @param way the transport of all requests
   * @param patterns where the paths of the patterns begin, without a slash at its end
   */
  Burst(Way way, URI patterns) {
    this.way = way;
    this.patterns = patterns;
  }

  /** Returns the number of answers to expect, failures included, unless it is closed before. */
  int size() {
    return Pattern.values().length * SENT_MILLIS.size();
  }

  /** Starts sending and returns a queue that receives answers as they arrive. */
  BlockingQueue<Answer> send() {
    SENT_MILLIS.forEach(this::sendToAll);
    return answers;
  }

  private static LongStream together(int requests, long atMillis) {
    return LongStream.generate(() -> atMillis).limit(requests);
  }

  private void sendToAll(long atMillis) {
    Executor then = way.later().apply(atMillis - elapsedMillis());
    for (Pattern pattern : Pattern.values()) {
      then.execute(() -> send(pattern, atMillis));
    }
  }

  /** Sends no further requests; those in flight keep their timeout of a few seconds. */
  @Override
  public void close() {
    isClosed = true;
  }

  private void send(Pattern pattern, long sentMillis) {
    if (isClosed) {
      return;
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(patterns + pattern.path()))
            .header("X-Burst", subject)
            .timeout(PATIENCE)
            .build();
    CompletableFuture<Boolean> unused =
        way.sent()
            .apply(request)
            .handle((response, failure) -> answers.add(answer(pattern, sentMillis, response)));
  }

  private Answer answer(Pattern pattern, long sentMillis, @Nullable HttpResponse<String> response) {
    long nowMillis = elapsedMillis();
    if (response == null) {
      return new Answer(pattern, sentMillis, nowMillis, 0);
    }
    long workedMillis = response.statusCode() == 200 ? worked(response.body()) : 0;
    return new Answer(pattern, sentMillis, nowMillis - workedMillis, response.statusCode());
  }

  private static long worked(String body) {
    JsonObject answer = Json.createReader(new StringReader(body)).readObject();
    return answer.getInt("worked");
  }

  private long elapsedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }
}
