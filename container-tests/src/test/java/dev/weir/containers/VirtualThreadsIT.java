package dev.weir.containers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.fixture.Jdk;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A container that has a virtual thread for each request. */
class VirtualThreadsIT {

  private static final int VIRTUAL_THREADS_SINCE = 21;
  private static final int PINS_NOWHERE_SINCE = 24;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private static final String FILE =
      """
      application: virtual
      nodes: 1
      redis: { uri: "%s", deadline: 5s }
      rules:
        - { name: rate, match: /**, subject: ip, limits: [1000000 per second] }
        - { name: together, match: /**, subject: "header:X-Group", limits: [1000 concurrent] }
      """;

  /** A container with a process that records what its virtual threads do. */
  private record Recorded(Container container, Path recording) implements Container {

    @Override
    public String name() {
      return container.name();
    }

    @Override
    public Edition edition() {
      return container.edition();
    }

    @Override
    public List<String> prepare(Path war, Path place, int port, Jdk jdk) throws IOException {
      List<String> command = new ArrayList<>(container.prepare(war, place, port, jdk));
      command.addAll(
          2, // behind the program and the size of its heap
          List.of(
              "-Xmx2g",
              "-XX:StartFlightRecording:filename="
                  + recording
                  + ",dumponexit=true,jdk.VirtualThreadPinned#enabled=true"
                  + ",jdk.VirtualThreadPinned#threshold=0ms,jdk.VirtualThreadStart#enabled=true"));
      return command;
    }
  }

  @ParameterizedTest
  @MethodSource("dev.weir.containers.Containers#withVirtualThreads")
  void ten_thousand_requests_at_once_are_served_and_pin_no_carrier(
      Container container, @TempDir Path directory) throws Exception {
    Optional<Jdk> newest = Jdk.newest(VIRTUAL_THREADS_SINCE);
    assumeTrue(newest.isPresent(), "there is no JDK with virtual threads here");
    Jdk jdk = newest.orElseThrow();
    Path recording = directory.resolve("virtual.jfr");
    Instant begin;
    try (RedisServer redis = RedisServer.start(RedisVersion.newest());
        RunningContainer running =
            RunningContainer.start(
                    new Recorded(container, recording),
                    jdk,
                    war(container.edition(), redis),
                    directory)
                .untilItAnswers("/page.txt")) {
      meet(running, MeetingFilter.FIRST);
      begin = Instant.now();
      meet(running, MeetingFilter.SECOND);
    }
    assertThat(events(recording, "jdk.VirtualThreadStart", begin))
        .hasSizeGreaterThanOrEqualTo(MeetingFilter.ALL);
    if (jdk.version().feature() >= PINS_NOWHERE_SINCE) {
      assertThat(events(recording, "jdk.VirtualThreadPinned", begin))
          .filteredOn(event -> !isOfClassLoading(event))
          .isEmpty();
    }
  }

  private static void meet(RunningContainer running, String path) throws IOException {
    try (Crowd crowd = Crowd.send(running.base().resolve(path), MeetingFilter.ALL)) {
      assertThat(crowd.answers(LONGEST)).isEqualTo(Map.of(200, MeetingFilter.ALL));
    }
  }

  private static War war(Edition edition, RedisServer redis) throws IOException {
    String webXml =
        WebXml.filter("meeting", MeetingFilter.class.getName(), Map.of()) + WebXml.filter(Map.of());
    return new War()
        .libraries(List.of(edition.filter()))
        .with("WEB-INF/web.xml", edition.webXml(webXml))
        .with("WEB-INF/weir.yaml", FILE.formatted(redis.uri()))
        .with("page.txt", "served")
        .with("first.txt", "served together")
        .with("second.txt", "served together")
        .classes(MeetingFilter.class);
  }

  private static List<RecordedEvent> events(Path recording, String name, Instant since)
      throws IOException {
    return RecordingFile.readAllEvents(recording).stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .filter(event -> event.getStartTime().isAfter(since))
        .toList();
  }

  /**
   * Returns whether a thread was pinned because it waited for another thread to load or initialise
   * a class. The JDK pins such a thread once a class.
   */
  private static boolean isOfClassLoading(RecordedEvent pinned) {
    return String.valueOf(pinned.getString("pinnedReason"))
            .startsWith("Waited for initialization of")
        || String.valueOf(pinned.getStackTrace()).contains(".loadClass(");
  }
}
