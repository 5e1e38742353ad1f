package dev.weir.config;

import dev.weir.config.internal.document.Variables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A configuration in a file that changes, and the application that reads it. */
final class LiveFile {

  final Path path;
  final ManualPoller poller = new ManualPoller();
  final Registry registry;
  final ClassLoader application = Weirs.application();

  LiveFile(Path directory, String yaml) {
    this(directory, yaml, FakeVariables.EMPTY);
  }

  LiveFile(Path directory, String yaml, Variables variables) {
    path = directory.resolve("weir.yaml");
    registry = new Registry(variables, poller);
    write(yaml);
  }

  Weir open() {
    return registry.open(Weirs.initParams(application, Map.of("config", path.toString())));
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
    poller.settle();
  }
}
