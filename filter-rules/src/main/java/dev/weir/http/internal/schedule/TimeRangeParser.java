package dev.weir.http.internal.schedule;

import dev.weir.internal.Expect;
import dev.weir.internal.Spelling;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A parser of a range such as {@code Mon-Fri 07:00-19:00 Europe/Berlin}. */
final class TimeRangeParser {

  static final String FORM =
      "days, times and a time zone, such as 'Mon-Fri 07:00-19:00 Europe/Berlin'; several ranges are"
          + " a list";

  private static final String UTC = "UTC";
  private static final String EXAMPLE_ZONE = "Europe/Berlin";
  private static final String DAYS = "Mon, Tue, Wed, Thu, Fri, Sat or Sun";

  /** Blanks around what joins words. */
  private static final Pattern JOINT = Pattern.compile("\\s*([-,])\\s+|\\s+([-,])");

  private static final Pattern TIMES =
      Pattern.compile("([0-9]{1,2}):([0-9]{2})-([0-9]{1,2}):([0-9]{2})");

  /** A time as it is written elsewhere: 9, 0900, 9.00, 9am, 09:00:00. */
  private static final Pattern OTHER_TIME =
      Pattern.compile("([0-9]{1,2})(?:[:.]?([0-9]{2}))?(?::00)?([ap]m)?", Pattern.CASE_INSENSITIVE);

  private static final Pattern OFFSET = Pattern.compile("Z|(UTC|GMT|UT)?[+-]?[0-9:]+");

  private final String text;

  private TimeRangeParser(String text) {
    this.text = text;
  }

  static TimeRange parse(String text) {
    return new TimeRangeParser(text).range();
  }

  private TimeRange range() {
    String joined = JOINT.matcher(text.strip()).replaceAll("$1$2");
    List<String> words = List.of(joined.split("\\s+", -1));
    String last = words.get(words.size() - 1);
    if (words.size() < 3 && isTime(last)) {
      throw malformed("a time zone at the end, such as " + EXAMPLE_ZONE + " or " + UTC);
    }
    if (words.size() == 2) {
      return isTime(words.get(0)) ? range("", words.get(0), last) : range(words.get(0), "", last);
    }
    if (words.size() != 3 || isTime(words.get(0)) || isTime(last)) {
      throw malformed(FORM);
    }
    return range(words.get(0), words.get(1), last);
  }

  private static boolean isTime(String word) {
    return !word.isEmpty() && Character.isDigit(word.charAt(0));
  }

  /** Returns the range of these words. Without days it is for each day; without times, all day. */
  private static TimeRange range(String days, String times, String zone) {
    Set<DayOfWeek> begins = days.isEmpty() ? EnumSet.allOf(DayOfWeek.class) : days(days);
    if (times.isEmpty()) {
      return new TimeRange(begins, 0, TimeRange.MINUTES_OF_DAY, zone(zone));
    }
    Matcher form = TIMES.matcher(times);
    if (!form.matches()) {
      throw Expect.failure(
          "times",
          quoted(times),
          "two times such as 07:00-19:00; several ranges are a list",
          corrected(times));
    }
    int from = minute(times, form.group(1), form.group(2));
    int to = minute(times, form.group(3), form.group(4));
    if (from == TimeRange.MINUTES_OF_DAY) {
      String cure = times.replaceFirst("24:00", "00:00");
      throw Expect.failure("times", quoted(times), "a day that begins at 00:00", Optional.of(cure));
    }
    if (from == to) {
      throw Expect.failure(
          "times", quoted(times), "two different times; a whole day is 00:00-24:00");
    }
    return new TimeRange(begins, from, to == 0 ? TimeRange.MINUTES_OF_DAY : to, zone(zone));
  }

  private static int minute(String times, String hour, String minute) {
    int minutes = Integer.parseInt(hour) * 60 + Integer.parseInt(minute);
    if (minutes > TimeRange.MINUTES_OF_DAY || Integer.parseInt(minute) > 59) {
      throw Expect.failure("times", quoted(times), "times from 00:00 to 24:00");
    }
    return minutes;
  }

  /** Returns times that are written in another way as they are written here. */
  private static Optional<String> corrected(String times) {
    String[] ends = times.replace('–', '-').split("-", -1);
    if (ends.length != 2) {
      return Optional.empty();
    }
    return corrected24(ends[0])
        .flatMap(from -> corrected24(ends[1]).map(to -> from + "-" + to))
        .filter(meant -> !meant.equals(times));
  }

  private static Optional<String> corrected24(String time) {
    Matcher form = OTHER_TIME.matcher(time);
    if (!form.matches()) {
      return Optional.empty();
    }
    int hour = Integer.parseInt(form.group(1));
    int minute = form.group(2) == null ? 0 : Integer.parseInt(form.group(2));
    if (form.group(3) != null) {
      hour = hour % 12 + (form.group(3).equalsIgnoreCase("pm") ? 12 : 0);
    }
    return hour * 60 + minute > TimeRange.MINUTES_OF_DAY || minute > 59
        ? Optional.empty()
        : Optional.of("%02d:%02d".formatted(hour, minute));
  }

  private static Set<DayOfWeek> days(String text) {
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (String item : text.split(",", -1)) {
      String[] ends = item.split("-", -1);
      DayOfWeek first = day(ends[0]);
      DayOfWeek last = day(ends[ends.length - 1]);
      if (ends.length > 2 || (ends.length == 2 && first == last)) {
        throw Expect.failure("days", quoted(item), "one day, or two different ones as in Mon-Fri");
      }
      days.add(first);
      for (DayOfWeek day = first; day != last; ) {
        day = day.plus(1);
        days.add(day);
      }
    }
    return days;
  }

  private static DayOfWeek day(String word) {
    for (DayOfWeek day : DayOfWeek.values()) {
      if (TimeRange.name(day).equalsIgnoreCase(word)) {
        return day;
      }
    }
    Optional<String> meant =
        Arrays.stream(DayOfWeek.values())
            .filter(day -> day.name().equalsIgnoreCase(word))
            .map(TimeRange::name)
            .findFirst();
    List<String> names = Arrays.stream(DayOfWeek.values()).map(TimeRange::name).toList();
    throw Expect.failure("day", quoted(word), DAYS, meant.or(() -> Spelling.nearest(word, names)));
  }

  /**
   * Returns the zone of a place, or UTC. Abbreviations and offsets are refused: they do not state
   * when clocks change, or for which places.
   */
  private static ZoneId zone(String name) {
    Set<String> places = new TreeSet<>(ZoneId.getAvailableZoneIds());
    if (name.equals(UTC) || (name.indexOf('/') > 0 && places.contains(name))) {
      return ZoneId.of(name);
    }
    places.removeIf(place -> place.indexOf('/') < 0);
    places.add(UTC);
    if (OFFSET.matcher(name).matches()) {
      throw Expect.failure(
          "zone", quoted(name), "UTC, or a place such as Europe/Berlin, whose clock may change");
    }
    Optional<String> nearest =
        List.of("GMT", "UT", "ZULU").contains(name.toUpperCase(Locale.ROOT))
            ? Optional.of(UTC)
            : Spelling.nearest(name, places);
    throw Expect.failure(
        "zone", quoted(name), "UTC, or a place such as Europe/Berlin; no abbreviation", nearest);
  }

  private RuntimeException malformed(String expectation) {
    return Expect.failure("when", quoted(text), expectation);
  }

  private static String quoted(String text) {
    return "'" + text + "'";
  }
}
