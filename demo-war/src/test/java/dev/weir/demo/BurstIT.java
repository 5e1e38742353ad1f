package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Full;
import dev.weir.http.Answer;
import dev.weir.http.RawHttp;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One burst to each kind of limit, as the page draws it. */
@Full
class BurstIT {

  private static final int SENT = 40;

  @Test
  void each_limit_admits_what_it_promises_through_redis() throws IOException {
    try (DemoProcess demo = DemoProcess.start()) {
      assertPromises(demo.node(0));
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {TomcatMain.class, JettyMain.class})
  void each_limit_admits_what_it_promises_in_process(Class<?> container, @TempDir Path directory)
      throws IOException {
    try (DeployedWar demo = DeployedWar.in(container, directory)) {
      assertPromises(new RawHttp(demo.base()));
    }
  }

  private static void assertPromises(RawHttp node) {
    assertThat(node.post("/burst").status()).as("by a foreign page").isEqualTo(403);
    Answer reported = node.post("/burst", DemoProcess.CONTROL);
    assertThat(reported.status()).isEqualTo(200);
    List<JsonObject> answers = reported.body().lines().map(BurstIT::json).toList();
    double seconds = answers.stream().mapToInt(it -> it.getInt("at")).max().orElseThrow() / 1e3;
    int refill = (int) Math.ceil(4 * seconds);
    assertThat(admitted(Pattern.TOKEN_BUCKET, answers)).isBetween(14, 8 + refill);
    assertThat(admitted(Pattern.FIXED_WINDOW, answers)).isBetween(16, 8 + 2 * refill);
    assertThat(admitted(Pattern.SLIDING_WINDOW, answers)).isBetween(8, 8 + refill);
    assertThat(admitted(Pattern.LEAKY_BUCKET, answers)).isBetween(4, 1 + refill);
    assertThat(admitted(Pattern.CONCURRENCY, answers)).isBetween(8, 4 + 2 * refill);
  }

  private static int admitted(Pattern pattern, List<JsonObject> answers) {
    List<Integer> statuses =
        answers.stream()
            .filter(answer -> answer.getString("pattern").equals(pattern.slug()))
            .map(answer -> answer.getInt("status"))
            .toList();
    assertThat(statuses).as(pattern.slug()).hasSize(SENT).containsOnly(200, 429);
    return (int) statuses.stream().filter(status -> status == 200).count();
  }

  private static JsonObject json(String line) {
    return Json.createReader(new StringReader(line)).readObject();
  }
}
