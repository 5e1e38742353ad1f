package dev.weir.config;

import java.util.stream.Stream;

/** The files with one mistake, of all tests. */
public final class BrokenFiles {

  private BrokenFiles() {}

  /** Returns those whose mistake shows in one value or key, so that a schema can tell. */
  public static Stream<String> schematic() {
    return Stream.of(
            BadRulesTest.lists(),
            BadRulesTest.keys(),
            BadRulesTest.counts(),
            BadRulesTest.choices(),
            BadTopLevelTest.roots(),
            BadTopLevelTest.keys(),
            BadTopLevelTest.nodes(),
            BadTopLevelTest.flags())
        .flatMap(cases -> cases)
        .map(broken -> broken.text().replace("" + BadCase.MARK, ""));
  }
}
