package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.bench.metric.Metrics;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OptionsTest {

  private static Options only(String... names) {
    return options(List.of(names), Optional.empty());
  }

  private static Options options(List<String> names, Optional<Integer> rounds) {
    return new Options(names, rounds, false, Optional.empty(), Optional.empty(), Path.of("docs"));
  }

  @Test
  void a_metric_that_there_is_not_is_refused_with_those_that_there_are() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> only("local-time", "local-tme").requireKnown(Metrics.ALL))
        .withMessageStartingWith("bench.only: 'local-tme' (expected: of ")
        .withMessageContaining("local-time");
    assertThatCode(() -> only("local-time").requireKnown(Metrics.ALL)).doesNotThrowAnyException();
  }

  @Test
  void a_group_is_chosen_by_the_beginning_of_its_names() {
    assertThatCode(() -> only("grid", "cost").requireKnown(Metrics.ALL)).doesNotThrowAnyException();
    assertThatIllegalArgumentException().isThrownBy(() -> only("gri").requireKnown(Metrics.ALL));
    assertThat(only("grid-near").wants(new Row("grid-near-1t-p99", 1, 1, "p"))).isTrue();
    assertThat(only("grid-near").wants(new Row("grid-1ms-1t", 1, 1, "p"))).isFalse();
    assertThat(only("grid-near-1t").wants(new Row("grid-near-1t", 1, 1, "p"))).isTrue();
  }

  @Test
  void only_a_run_of_everything_in_all_rounds_is_whole() {
    assertThat(only().isWhole()).isTrue();
    assertThat(only("grid").isWhole()).isFalse();
    assertThat(options(List.of(), Optional.of(1)).isWhole()).isFalse();
  }

  @Test
  void the_command_says_what_else_was_measured_and_no_directory() {
    assertThat(only().command()).isEqualTo("mvn -q -Pbench verify");
    Options beside =
        new Options(
            List.of(),
            Optional.empty(),
            true,
            Optional.of(Path.of("/home/me/weir-0.1-all.jar")),
            Optional.of("redis://user:secret@host"),
            Path.of("docs"));
    assertThat(beside.command())
        .isEqualTo("mvn -q -Pbench verify -Dbench.before=weir-0.1-all.jar -Dredis=…");
  }
}
