package dev.weir.config;

import java.util.stream.Stream;

/** The files with one mistake, of all tests. */
public final class BrokenFiles {

  private BrokenFiles() {}

  /**
   * Returns those whose mistake shows in the form of a value or in the keys of a map, so that a
   * schema can tell.
   */
  public static Stream<String> schematic() {
    return Stream.of(
            BadLimitsTest.sections(),
            BadLimitsTest.lines(),
            BadLimitsTest.maps(),
            BadRulesTest.lists(),
            BadRulesTest.keys(),
            BadRulesTest.names(),
            BadRulesTest.patterns(),
            BadRulesTest.absentMatches(),
            BadCostsTest.costs(),
            BadSchedulesTest.forms(),
            BadCountsTest.counts(),
            BadRulesTest.choices(),
            BadBansTest.forms(),
            BadTopLevelTest.roots(),
            BadTopLevelTest.keys(),
            BadTopLevelTest.nodes(),
            BadTopLevelTest.choices(),
            BadTopLevelTest.addresses(),
            BadTopLevelTest.flags(),
            BadDenialResponsesTest.words(),
            BadDenialResponsesTest.keys(),
            TiersTest.tiers())
        .flatMap(cases -> cases)
        .map(broken -> broken.text().replace("" + BadCase.MARK, ""));
  }
}
