package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.http.FakeRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that a program opens by its path. */
class OpenedFileTest {

  private final Path directory;
  private final LiveFile file;

  OpenedFileTest(@TempDir Path directory) {
    this.directory = directory;
    this.file = new LiveFile(directory, LiveConfiguration.THREE);
  }

  private static int passing(Weir weir) {
    return Weirs.passing(weir, 10, () -> FakeRequest.get("/a"));
  }

  private static Path relative(Path absolute) {
    return Path.of("").toAbsolutePath().relativize(absolute);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void it_is_reloaded_when_it_changes(boolean isRelative) {
    try (Weir weir = file.registry.open(isRelative ? relative(file.path) : file.path)) {
      assertThat(passing(weir)).isEqualTo(3);
      assertThat(weir.status().loaded().source()).isEqualTo(file.path.toString());
      file.change(LiveConfiguration.FIVE);
      assertThat(passing(weir)).isEqualTo(2);
    }
  }

  @Test
  void it_is_reloaded_by_hand() {
    try (Weir weir = Weir.open(file.path)) {
      file.write(LiveConfiguration.yaml("1 per hour"));
      weir.reload();
      assertThat(passing(weir)).isEqualTo(1);
    }
  }

  @Test
  void adapters_of_the_application_share_it() {
    WeirSource adapter =
        new WeirSource(
            "limits",
            Map.of("config", relative(file.path).toString()),
            WeirSource.Resources.NONE,
            WeirSource.applicationClassLoader());
    try (Weir weir = Weir.open(file.path);
        Weir shared = Weir.open(adapter)) {
      assertThat(shared.limiter()).isSameAs(weir.limiter());
    }
  }

  @Test
  void without_a_file_the_message_says_where_it_was_sought() throws Exception {
    Path missing = directory.resolve("missing.yaml");
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> Weir.open(relative(missing)))
        .withMessage(missing + ": no file (expected: a file that exists)");
    Path folder = Files.createDirectory(directory.resolve("weir.d"));
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> Weir.open(folder))
        .withMessage(folder + ": a file that cannot be read (expected: a file that can be read)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"weir.yaml", "/etc/shop/weir.yml", "C:\\weir.yaml", "classpath:weir.yaml"})
  void the_name_of_a_file_is_no_text_of_a_configuration(String name) {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> Weir.of(name))
        .withMessage(
            "weir: '%s' (expected: a text in YAML; Weir.open(Path) opens a file)".formatted(name));
  }

  @Test
  void a_value_that_is_the_name_of_a_file_is_a_setting() {
    assertThatExceptionOfType(ConfigurationException.class)
        .isThrownBy(() -> Weir.of("redis: weir.yaml"))
        .withMessageNotContaining("Weir.open");
  }
}
