package dev.weir.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A configuration in a file that changes, and the application that reads it. */
final class LiveFile {

  final Path path;
  final ManualPulse pulse = new ManualPulse();
  final Registry registry = new Registry();
  final ClassLoader application = Weirs.application();
  private final Opening opening;

  LiveFile(Path directory, String yaml) {
    this(directory, yaml, FakeEnvironment.EMPTY);
  }

  LiveFile(Path directory, String yaml, Environment environment) {
    path = directory.resolve("weir.yaml");
    opening = new Opening(registry, environment, pulse);
    write(yaml);
  }

  Weir open() {
    return opening.open(Weirs.initParams(application, Map.of("config", path.toString())));
  }

  void write(String text) {
    try {
      Files.writeString(path, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes it and lets it be seen. */
  void change(String yaml) {
    write(yaml);
    pulse.settle();
  }
}
