package dev.weir.containers;

import dev.weir.fixture.Jdk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A servlet container as it is distributed. */
interface Container {

  /** As the matrix calls it. */
  String name();

  Edition edition();

  /** Scenarios that it answers wrongly without Weir too, and how. */
  default Map<String, String> ownFaults() {
    return Map.of();
  }

  /** Whether an application ends when one of its listeners throws at start-up. */
  default boolean endsWithItsListeners() {
    return true;
  }

  /**
   * Returns the pattern of an access log, with what Weir says of a denial.
   *
   * @param attribute how the container prints an attribute of a request, with %s for its name
   */
  static String accessLog(String attribute) {
    return "%m %U %s "
        + Stream.of("denied", "source", "subject", "shadow")
            .map(name -> name + "=" + attribute.formatted("dev.weir." + name))
            .collect(Collectors.joining(" "));
  }

  /** What comes before the path within the application. */
  default String contextPath() {
    return "/shop";
  }

  /**
   * Makes a place for one application, and returns the command that runs it.
   *
   * @param war to be answered at the context path
   * @param place an empty directory
   */
  List<String> prepare(Path war, Path place, int port, Jdk jdk) throws IOException;
}
