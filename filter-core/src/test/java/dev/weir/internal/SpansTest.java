package dev.weir.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpansTest {

  @ParameterizedTest
  @CsvSource({
    "100ms, PT0.1S",
    "2 s, PT2S",
    "5 S, PT5S",
    "1 minute, PT1M",
    "3 hours, PT3H",
    "7us, PT0.000007S",
    "1d, PT24H",
    "2 weeks, PT336H",
    "999999999999h, PT999999999999H"
  })
  void a_number_and_its_unit_are_a_length_of_time(String text, Duration length) {
    assertThat(Spans.parse(text)).contains(length);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "100", "s", "1.5s", "-1s", "1e3ms", "١s", "1 month", "PT2S", "9999999999999s"})
  void another_text_is_none(String text) {
    assertThat(Spans.parse(text)).isEmpty();
  }
}
