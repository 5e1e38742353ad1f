package dev.weir.bench;

import dev.weir.fixture.Jdk;
import java.util.List;
import java.util.Optional;

/** The JDK of the rows about virtual threads: the newest of the machine that has them. */
public final class VirtualJdk {

  private static final int SINCE = 21;

  private VirtualJdk() {}

  public static Optional<Jdk> newest() {
    return Jdk.newest(SINCE);
  }

  /** Returns void rows of these metrics, for a machine without such a JDK. */
  public static List<Row> missing(List<String> metrics, String peerName) {
    return metrics.stream()
        .map(metric -> Row.voided(metric, peerName, "no JDK " + SINCE + " or newer"))
        .toList();
  }
}
