package dev.weir.config;

import static dev.weir.config.BadRulesTest.match;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Files with rules whose times are wrong. */
class BadSchedulesTest {

  private static final String TIMES = "two times such as 07:00-19:00";
  private static final String NO_ZONE = "a time zone at the end, such as Europe/Berlin or UTC";
  private static final String ZONE = "UTC, or a place such as Europe/Berlin; no abbreviation";
  private static final String OFFSET =
      "UTC, or a place such as Europe/Berlin, whose clock may change";

  @ParameterizedTest
  @MethodSource({"forms", "values"})
  void is_refused(BadCase wrong) {
    wrong.verifyFile(FakeVariables.EMPTY);
  }

  static Stream<BadCase> forms() {
    return Stream.of(
        when("9-17", NO_ZONE),
        when("Mon-Fri 07:00-19:00", NO_ZONE),
        when("Mon-Fri", "days, times and a time zone, such as"),
        when("always", "days, times and a time zone, such as"),
        when("07:00-19:00 Mon-Fri UTC", "days, times and a time zone, such as"),
        when("Mon 07:00-12:00 13:00-17:00 UTC", "several ranges are a list"),
        part("times 9-17", "9-17 UTC", TIMES).suggests("09:00-17:00"),
        part("times 9am-5pm", "Mon-Fri 9am-5pm UTC", TIMES).suggests("09:00-17:00"),
        part("times 0700-1900", "0700-1900 UTC", TIMES).suggests("07:00-19:00"),
        part("times 07:00:00-19:00:00", "07:00:00-19:00:00 UTC", TIMES).suggests("07:00-19:00"),
        part("times 07:00–19:00", "07:00–19:00 UTC", TIMES).suggests("07:00-19:00"),
        part("times 07:00", "07:00 UTC", TIMES),
        part("day Monday", "Monday 09:00-17:00 UTC", "Mon, Tue, Wed, Thu,").suggests("Mon"),
        part("day Mo", "Mo-Fr 09:00-17:00 UTC", "Mon, Tue, Wed, Thu,").suggests("Mon"),
        part("day weekdays", "weekdays 09:00-17:00 UTC", "Mon, Tue, Wed, Thu, Fri, Sat or Sun"),
        part("zone CET", "09:00-17:00 CET", ZONE),
        part("zone GMT", "09:00-17:00 GMT", ZONE).suggests("UTC"),
        part("zone utc", "09:00-17:00 utc", ZONE).suggests("UTC"),
        part("zone +01:00", "09:00-17:00 +01:00", OFFSET),
        match("when: »{ from: 9 }", "when", "a map", "days, times and a time zone"),
        match("when: »[]", "when", "an empty list", "days, times and a time zone"),
        match("»schedule: 9-17", "schedule", "'schedule'", "when: Mon-Fri 07:00-19:00 Europe/"),
        match("when: [Sat UTC, »'']", "when[1]", "nothing", "days, times and a time zone"));
  }

  /** Times of the right form, whose values are wrong. */
  static Stream<BadCase> values() {
    return Stream.of(
        part("times 07:00-07:00", "07:00-07:00 UTC", "different times; a whole day is 00:00-24:00"),
        part("times 00:00-00:00", "00:00-00:00 UTC", "different times; a whole day is 00:00-24:00"),
        part("times 24:00-06:00", "24:00-06:00 UTC", "at 00:00").suggests("00:00-06:00"),
        part("times 07:00-24:01", "07:00-24:01 UTC", "times from 00:00 to 24:00"),
        part("times 07:60-19:00", "07:60-19:00 UTC", "times from 00:00 to 24:00"),
        part("days Mon-Mon", "Mon-Mon 07:00-19:00 UTC", "two different ones as in Mon-Fri"),
        part("days Mon-Tue-Wed", "Mon-Tue-Wed 07:00-19:00 UTC", "one day, or two different ones"),
        part("zone Europe/Berln", "07:00-19:00 Europe/Berln", ZONE).suggests("Europe/Berlin"),
        part("zone europe/berlin", "07:00-19:00 europe/berlin", ZONE).suggests("Europe/Berlin"));
  }

  private static BadCase when(String range, String expected) {
    return match("when: »'" + range + "'", "when", "'" + range + "'", expected);
  }

  /** A range of which a part is wrong. */
  private static BadCase part(String part, String range, String expected) {
    String quoted = part.replace(" ", " '") + "'";
    return match("when: »'" + range + "'", "when", quoted + " in '" + range + "'", expected);
  }
}
