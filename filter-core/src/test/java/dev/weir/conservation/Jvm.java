package dev.weir.conservation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Processes of their own, on the class path of the tests. */
final class Jvm {

  private Jvm() {}

  /** Runs a main method; what it says on its standard error is said on ours. */
  static Process start(Class<?> main, List<String> arguments) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> itself =
        List.of(java, "-Xmx128m", "-cp", System.getProperty("java.class.path"), main.getName());
    return new ProcessBuilder(Stream.concat(itself.stream(), arguments.stream()).toList())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
