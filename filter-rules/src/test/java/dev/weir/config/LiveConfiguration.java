package dev.weir.config;

import dev.weir.http.FakeRequest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A configuration with a file that changes while it is in use. */
abstract class LiveConfiguration {

  static final String THREE = yaml("3 per hour");
  static final String FIVE = yaml("5 per hour");

  @SuppressWarnings("NullAway.Init") // by JUnit
  @TempDir
  Path directory;

  @SuppressWarnings("NullAway.Init") // before each test
  LiveFile file;

  @SuppressWarnings("NullAway.Init") // before each test
  Weir weir;

  @BeforeEach
  void open() {
    file = new LiveFile(directory, THREE);
    weir = file.open();
  }

  @AfterEach
  void close() {
    weir.close();
  }

  static String yaml(String limit) {
    return "rules: [{ name: all, match: /**, limits: [%s] }]\n".formatted(limit);
  }

  static String problem(Weir weir) {
    return weir.status().loaded().problem().orElse("");
  }

  final int passing() {
    return Weirs.passing(weir, 10, () -> FakeRequest.get("/a"));
  }
}
