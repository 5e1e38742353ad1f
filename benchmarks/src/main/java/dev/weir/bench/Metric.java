package dev.weir.bench;

import java.time.Duration;
import java.util.List;

/** A measurement that gives one or more rows. */
public interface Metric {

  /** Returns the metrics of its rows; they are used to choose it. */
  List<String> names();

  /** Returns its approximate duration on two cores. */
  Duration plan();

  /**
   * Measures it. It throws on anything that would make the figures untrue, such as a denial where
   * all requests should be allowed.
   */
  List<Row> measure(Workbench bench) throws Exception;
}
