package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.bench.metric.Metrics;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OptionsTest {

  private static Options only(String... names) {
    return new Options(List.of(names), false, Optional.empty(), Path.of("docs"));
  }

  @Test
  void a_metric_that_there_is_not_is_refused_with_those_that_there_are() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> only("local-time", "local-tme").requireKnown(Metrics.ALL))
        .withMessageStartingWith("bench.only: 'local-tme' (expected: of ")
        .withMessageContaining("local-time");
    assertThatCode(() -> only("local-time").requireKnown(Metrics.ALL)).doesNotThrowAnyException();
  }
}
