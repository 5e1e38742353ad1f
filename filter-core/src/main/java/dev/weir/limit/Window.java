package dev.weir.limit;

import java.time.Duration;

/** The rule for where the windows of a {@link FixedWindow} begin and end. */
public sealed interface Window permits FirstRequestWindow, CalendarWindow {

  /** Returns a length that no window of this kind exceeds. */
  Duration longest();
}
