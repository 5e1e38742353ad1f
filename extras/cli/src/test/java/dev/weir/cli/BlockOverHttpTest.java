package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cli.Cli.Result;
import dev.weir.http.Answer;
import dev.weir.redis.RedisServer;
import dev.weir.redis.RedisVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block holds on two servers from the next request on, and its end restores what was left. */
class BlockOverHttpTest {

  private static final List<String> KEY = List.of("partner-key");

  @Test
  void a_blocked_key_gets_429_on_both_servers_and_an_unblocked_one_what_it_had(@TempDir Path folder)
      throws Exception {
    try (RedisServer redis = RedisServer.start(RedisVersion.newest())) {
      String yaml = Shop.yaml(redis).replace("redis: { uri: ", "redis: { deadline: 5s, uri: ");
      Cli cli = Cli.with(folder, yaml);
      try (ServedNode first = ServedNode.start(yaml, Files.createDirectory(folder.resolve("a")));
          ServedNode second = ServedNode.start(yaml, Files.createDirectory(folder.resolve("b")))) {
        for (int i = 0; i < 5; i++) {
          assertThat(answer(first).status()).isEqualTo(200);
        }
        assertThat(answer(second).field("RateLimit")).contains("\"api\";r=34");

        Result blocked =
            cli.run(KEY, "block", "--rule", "api", "--limit", "api", "--for", "1m", "--yes");
        assertThat(blocked.exit()).as(blocked.all()).isZero();
        for (ServedNode node : List.of(first, second)) {
          Answer denied = answer(node);
          assertThat(denied.status()).isEqualTo(429);
          assertThat(denied.retryAfterSeconds().orElseThrow()).isBetween(1L, 60L);
          assertThat(denied.body()).contains("\"violated-policies\":[\"api\"]");
        }

        Result unblocked = cli.run(KEY, "unblock", "--rule", "api", "--limit", "api", "--yes");
        assertThat(unblocked.exit()).as(unblocked.all()).isZero();
        for (ServedNode node : List.of(first, second)) {
          await("the deny cache has forgotten it")
              .atMost(Duration.ofSeconds(5))
              .until(() -> answer(node).status() == 200);
        }
        assertThat(answer(first).field("RateLimit")).contains("\"api\";r=31");
      }
    }
  }

  private static Answer answer(ServedNode node) {
    return node.http().get("/api/orders", "X-API-Key: " + KEY.get(0));
  }
}
