package dev.weir.http;

import java.util.List;
import java.util.function.Consumer;

/**
 * What a client does and what it must see, with the rules that it is about. Every scenario has
 * rules and paths of its own, so that one leaves the others' limits alone.
 *
 * @param rules as they stand in a configuration file
 */
record HttpScenario(String name, List<String> rules, Consumer<RawHttp> check) {

  /** A scenario about one rule. */
  static HttpScenario of(String name, String rule, Consumer<RawHttp> check) {
    return new HttpScenario(name, List.of(rule), check);
  }
}
