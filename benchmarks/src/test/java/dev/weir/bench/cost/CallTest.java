package dev.weir.bench.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

class CallTest {

  private static final String CLIENT = "1700000000.123456 [0 127.0.0.1:6379] ";

  private static Call of(String arguments) {
    return Call.of(CLIENT + "\"evalsha\" " + arguments).orElseThrow();
  }

  @Test
  void a_line_of_monitor_gives_the_arguments() {
    Call call = of("\"sha\" \"2\" \"a:{x}b:api\" \"b\" \"\" \"64\"");

    assertThat(call.arguments()).containsExactly("sha", "2", "a:{x}b:api", "b", "", "64");
    assertThat(call.keys()).containsExactly("a:{x}b:api", "b");
  }

  @Test
  void what_a_script_calls_is_none_and_so_is_another_command() {
    assertThat(Call.of("1700000000.1 [0 lua] \"EVALSHA\" \"sha\" \"1\" \"k\"")).isEmpty();
    assertThat(Call.of(CLIENT + "\"GET\" \"k\"")).isEmpty();
  }

  @Test
  void what_cannot_be_sent_again_as_it_is_shown_is_refused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> of("\"sha\" \"1\" \"\\x00\""))
        .withMessageContaining("printable");
  }

  @Test
  void those_on_the_keys_of_most_are_taken() {
    Call one = of("\"sha\" \"1\" \"k\" \"1\"");
    Call two = of("\"sha\" \"1\" \"k\" \"2\"");
    Call heartbeat = of("\"sha\" \"1\" \"nodes\" \"1\"");

    assertThat(Call.ofMost(List.of(heartbeat, one, two))).containsExactly(one, two);
  }

  @Test
  void on_other_keys_the_rest_stays() {
    Call call = of("\"sha\" \"1\" \"k\" \"k\"").on(key -> key + "-copy-1");

    assertThat(call.arguments()).containsExactly("sha", "1", "k-copy-1", "k");
  }
}
