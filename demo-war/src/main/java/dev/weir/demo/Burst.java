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
 * The same requests to each kind of limit at the same time. The first of them opens a fixed window;
 * one crowd comes just before that ends and one just after, which is where windows differ; an even
 * stream follows, a little faster than the limits.
 *
 * <p>They are sent from here and not from the page, since a browser has six connections for a host
 * and would hold back the rest: the picture would be of that. A burst ends at the first answer that
 * its caller is not there for.
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
   * What became of one request.
   *
   * @param sentMillis since the burst began
   * @param atMillis when it was let in, or refused
   * @param status 0 when there was no answer
   */
  record Answer(Pattern pattern, long sentMillis, long atMillis, int status) {}

  /**
   * How requests go out.
   *
   * @param sent sends one now
   * @param later runs what it is given after so many milliseconds
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
   * Each burst is a subject of its own, and so begins with nothing used. Nobody is told its name,
   * so that no other caller's X-Burst can spend its permits.
   */
  private final String subject = UUID.randomUUID().toString();

  private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
  private final long startNanos = System.nanoTime();
  private volatile boolean isClosed;

  /**
   * @param way by which all are sent
   * @param patterns where the paths of the patterns begin, without a slash at its end
   */
  Burst(Way way, URI patterns) {
    this.way = way;
    this.patterns = patterns;
  }

  /** How many answers there will be, one way or another, unless it is closed before. */
  int size() {
    return Pattern.values().length * SENT_MILLIS.size();
  }

  /** Answers come in as they happen. */
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

  /** Sends no more of it; what is under way has its few seconds. */
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
