package dev.weir.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.http.Http2Connection;
import dev.weir.http.RawHttp;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A request holds its permit and its place for exactly as long as it is in the application, however
 * it ends, and whatever becomes of its connection.
 */
abstract class RequestEndSuite {

  private static final int LIMIT = 4;

  private static final String CONFIGURATION =
      """
      limits: { running: "%d concurrent, ttl 5s" }
      rules: [{ name: all, match: /**, subject: global, limits: [running] }]
      overload: { in-flight: { start: %d, from: %d, to: %d } }
      """
          .formatted(LIMIT, LIMIT, LIMIT, LIMIT);

  /** How the application ends a request. */
  private static final List<String> APPLICATION =
      List.of(
          "/done",
          "/error",
          "/fails",
          "/fails-late",
          "/complete",
          "/dispatch",
          "/dispatch-fails",
          "/times-out",
          "/async-fails",
          "/async-fails-late",
          "/missing");

  /** What is open, and ends with its client. */
  private static final List<String> OPEN =
      List.of("/stream", "/poll", "/poll-dispatched", "/dispatch-open", "/events");

  /** What is open, and writes all the time. */
  private static final List<String> WRITING = List.of("/events");

  @TempDir
  @SuppressWarnings("NullAway.Init") // made before each test
  private Path directory;

  /** How a client leaves. */
  private enum Leaving {
    CANCELS_ITS_STREAMS {
      @Override
      void leave(Http2Connection client, List<Integer> streams) {
        streams.forEach(client::cancel);
      }
    },
    GOES_AWAY {
      @Override
      void leave(Http2Connection client, List<Integer> streams) {
        client.goAway();
        client.close();
      }
    },
    CLOSES {
      @Override
      void leave(Http2Connection client, List<Integer> streams) {
        client.close();
      }
    },
    RESETS {
      @Override
      void leave(Http2Connection client, List<Integer> streams) {
        client.reset();
      }
    };

    abstract void leave(Http2Connection client, List<Integer> streams);

    /** A connection that ends after GOAWAY may still be written to: Jetty finds out by a write. */
    static EnumSet<Leaving> those(boolean isWriting) {
      return isWriting ? EnumSet.allOf(Leaving.class) : EnumSet.complementOf(EnumSet.of(GOES_AWAY));
    }
  }

  /** Starts a container that speaks HTTP/2. */
  abstract Container start() throws Exception;

  /** Tomcat's own threads may throw at clients that are gone, such as its assertions. */
  @BeforeAll
  static void watchTheTestAlone() {
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
  }

  @AfterAll
  static void watchAllThreads() {
    Awaitility.reset();
  }

  @BeforeEach
  void begin() {
    EndingServlet.reset();
  }

  @AfterEach
  void end() {
    EndingServlet.LEAVE.release(10_000);
    await().until(() -> EndingServlet.HOLDING.get() == 0);
  }

  @Test
  void what_the_application_ends_leaves() throws Exception {
    try (Container container = deployed()) {
      for (String path : APPLICATION) {
        EndingServlet.reset();
        List<Http2Connection> clients = openAlone(container, path);
        awaitArrived(LIMIT);
        awaitRoom(container, path);
        clients.forEach(Http2Connection::close);
      }
    }
  }

  /**
   * Opens each request on a connection of its own: Tomcat 10.1.49 ends the whole connection when
   * asynchronous work fails before its servlet has returned, with this filter and without it.
   */
  private static List<Http2Connection> openAlone(Container container, String path) {
    List<Http2Connection> clients = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      Http2Connection client = new Http2Connection(container.base());
      client.get(path);
      clients.add(client);
    }
    return clients;
  }

  @Test
  void a_client_that_leaves_takes_its_open_requests_with_it() throws Exception {
    try (Container container = deployed()) {
      for (String path : OPEN) {
        for (Leaving leaving : Leaving.those(WRITING.contains(path))) {
          try (Http2Connection client = new Http2Connection(container.base())) {
            List<Integer> streams = open(client, path);
            awaitArrived(LIMIT);
            assertThat(new RawHttp(container.base()).get("/done").status()).isIn(429, 503);
            leaving.leave(client, streams);
            awaitRoom(container, path + " " + leaving);
          }
        }
      }
    }
  }

  @Test
  void a_thread_keeps_the_permit_and_the_place_of_a_request_that_was_cancelled() throws Exception {
    try (Container container = deployed()) {
      RawHttp http = new RawHttp(container.base());
      for (Leaving leaving : List.of(Leaving.CANCELS_ITS_STREAMS, Leaving.RESETS)) {
        try (Http2Connection client = new Http2Connection(container.base())) {
          List<Integer> streams = open(client, "/hold");
          awaitArrived(LIMIT);
          leaving.leave(client, streams);
          await(leaving + ", and longer than a cancelled request may take")
              .during(Duration.ofMillis(1_500))
              .until(() -> http.get("/done").status() != 204);
        }
        EndingServlet.LEAVE.release(LIMIT);
        await().until(() -> EndingServlet.HOLDING.get() == 0);
        awaitRoom(container, leaving.name());
      }
    }
  }

  @Test
  void so_does_the_thread_of_a_dispatch_after_the_error() throws Exception {
    try (Container container = deployed()) {
      RawHttp http = new RawHttp(container.base());
      try (Http2Connection client = new Http2Connection(container.base())) {
        List<Integer> streams = open(client, "/poll-held");
        awaitArrived(LIMIT);
        streams.forEach(client::cancel);
        await().until(() -> EndingServlet.HOLDING.get() == LIMIT);
        await().during(Duration.ofMillis(1_500)).until(() -> http.get("/done").status() != 204);
        EndingServlet.LEAVE.release(LIMIT);
        await().until(() -> EndingServlet.HOLDING.get() == 0);
        awaitRoom(container, "dispatched after the error");
      }
    }
  }

  /** Else anyone might have as many threads as the container has. */
  @Test
  void streams_that_are_reset_at_once_get_no_more_threads_than_the_limit() throws Exception {
    try (Container container = deployed();
        Http2Connection client = new Http2Connection(container.base())) {
      List<Integer> streams = open(client, "/hold");
      awaitArrived(LIMIT);
      streams.forEach(client::cancel);
      await("50 connections a second, for longer than a cancelled request may take")
          .pollInterval(Duration.ofMillis(20))
          .during(Duration.ofMillis(1_500))
          .until(
              () -> {
                openAndCancel(container);
                return EndingServlet.HOLDING.get() == LIMIT;
              });
      assertThat(EndingServlet.MOST_HOLDING).hasValue(LIMIT);
      EndingServlet.LEAVE.release(10_000);
      await().until(() -> EndingServlet.HOLDING.get() == 0);
      awaitRoom(container, "all have left");
    }
  }

  /** On a connection of its own: Tomcat closes one that cancels too much. */
  private static void openAndCancel(Container container) {
    try (Http2Connection other = new Http2Connection(container.base())) {
      int stream = other.get("/hold");
      other.cancel(stream);
    }
  }

  private Container deployed() throws Exception {
    Container container = start();
    container.deploy(
        WebApp.in(directory, WebApp.asyncWebXml(EndingServlet.class.getName()))
            .with("WEB-INF/weir.yaml", CONFIGURATION));
    return container;
  }

  private static List<Integer> open(Http2Connection client, String path) {
    EndingServlet.reset();
    List<Integer> streams = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      streams.add(client.get(path));
    }
    return streams;
  }

  private static void awaitArrived(int requests) {
    await().until(() -> EndingServlet.ARRIVED.get() >= requests);
  }

  /** Waits until as many requests as the limit find room at once, and have left the filter. */
  private static void awaitRoom(Container container, String after) {
    await(after)
        .untilAsserted(
            () -> {
              try (Http2Connection client = new Http2Connection(container.base())) {
                List<Integer> streams = open(client, "/hold");
                await()
                    .until(() -> EndingServlet.HOLDING.get() + replied(client, streams) == LIMIT);
                int holding = EndingServlet.HOLDING.get();
                EndingServlet.LEAVE.release(holding);
                await().until(() -> replied(client, streams) == LIMIT);
                assertThat(holding).isEqualTo(LIMIT);
              }
            });
  }

  private static long replied(Http2Connection client, List<Integer> streams) {
    return streams.stream().filter(client::hasReply).count();
  }
}
