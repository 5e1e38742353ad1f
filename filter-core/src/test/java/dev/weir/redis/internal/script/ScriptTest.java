package dev.weir.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScriptTest {

  private static final Pattern CALL = Pattern.compile("redis\\.p?call\\('(\\w+)'(?:, ([^,)]+))?");

  static Stream<Script> ofOneKey() {
    return Stream.of(Script.DECIDE_ONE, Script.ADJUST_ONE, Script.LEAVE);
  }

  /** Some proxies read scripts, and reject every computed key. */
  @ParameterizedTest
  @MethodSource("ofOneKey")
  void a_script_of_one_key_names_it_literally_in_every_call(Script script) {
    assertThat(keysOfCalls(script)).hasSizeGreaterThan(1).containsOnly("KEYS[1]");
  }

  @Test
  void the_heartbeat_names_both_of_its_keys_literally_in_every_call() {
    assertThat(keysOfCalls(Script.HEARTBEAT)).containsOnly("KEYS[1]", "KEYS[2]");
  }

  private static List<String> keysOfCalls(Script script) {
    return CALL.matcher(script.text())
        .results()
        .filter(call -> !call.group(1).equals("TIME"))
        .map(call -> String.valueOf(call.group(2)))
        .toList();
  }
}
