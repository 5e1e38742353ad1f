package dev.weir;

import java.time.Duration;

/** Where the windows of a {@link FixedWindow} begin and end. */
public sealed interface Window permits FirstRequestWindow, CalendarWindow {

  /** No window of this kind lasts longer. */
  Duration longest();
}
