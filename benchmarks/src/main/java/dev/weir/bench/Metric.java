package dev.weir.bench;

import java.time.Duration;
import java.util.List;

/** Something measured, in one go, that gives one or more rows. */
public interface Metric {

  /** The metrics of its rows, by which it is chosen. */
  List<String> names();

  /** How long it takes, about, on two cores. */
  Duration plan();

  /**
   * Measures it. Whatever would make the figures untrue, as a denial where all is to be admitted,
   * is thrown.
   */
  List<Row> measure(Workbench bench) throws Exception;
}
