package dev.weir.redis.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.LogCapture;
import dev.weir.store.LimiterListener;
import java.util.Optional;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;

/** The end of each line about Redis, which tells the nodes of one log apart. */
class ReportsTest {

  private static final String WARNING = "it's {full}";

  @Test
  void the_lines_of_a_named_node_end_in_its_name() {
    assertThat(lineOf(new Reports(LimiterListener.NONE, Optional.of("node-1"))))
        .isEqualTo(WARNING + " [node node-1]");
  }

  @Test
  void those_of_another_one_have_no_such_end() {
    assertThat(lineOf(new Reports(LimiterListener.NONE))).isEqualTo(WARNING);
  }

  private static String lineOf(Reports reports) {
    try (LogCapture log = new LogCapture("dev.weir.redis.RedisLimitStore")) {
      reports.warning(WARNING);
      reports.close();
      assertThat(log.records()).hasSize(1);
      return new SimpleFormatter().formatMessage(log.records().get(0));
    }
  }
}
