package dev.weir.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.weir.config.ConfigurationException.Problem;
import dev.weir.config.internal.document.ConfigDocument;
import dev.weir.config.internal.document.Variables;
import dev.weir.config.internal.read.SettingsReader;
import dev.weir.http.Rule;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigSearchTest {

  private final Path directory;

  private final Map<String, String> initParams = new HashMap<>();
  private final Map<String, String> variables = new HashMap<>();
  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, String> resources = new HashMap<>();
  private final Map<String, String> classPath = new HashMap<>();

  ConfigSearchTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @BeforeEach
  void every_place_holds_a_configuration() throws IOException {
    initParams.put("config", file("param"));
    properties.put("weir.config", file("property"));
    variables.put("WEIR_CONFIG", file("variable"));
    resources.put("/WEB-INF/weir.yaml", yaml("web-inf"));
    classPath.put("weir.yaml", yaml("class-path"));
  }

  @Test
  void places_are_searched_in_their_order() {
    assertThat(ruleFound()).isEqualTo("param");
    initParams.remove("config");
    assertThat(ruleFound()).isEqualTo("property");
    properties.clear();
    assertThat(ruleFound()).isEqualTo("variable");
    variables.clear();
    assertThat(ruleFound()).isEqualTo("web-inf");
    resources.clear();
    assertThat(ruleFound()).isEqualTo("class-path");
  }

  @Test
  void a_rule_of_init_params_is_found_before_all_files() {
    initParams.clear();
    initParams.put("limit", "5 per minute");
    assertThat(ruleFound()).isEqualTo("limits");
  }

  @Test
  void without_any_the_places_are_named() {
    leaveNone();
    Problem problem = Complaints.only(this::ruleFound);
    assertThat(problem.file()).isEqualTo("limits");
    assertThat(problem.field()).isEqualTo("configuration");
    assertThat(problem.expected())
        .contains("'limit'", "'config'", "weir.config", "WEIR_CONFIG", "/WEB-INF/weir.yaml");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/nowhere/weir.yaml",
        "nowhere.yaml",
        "classpath:nowhere.yaml",
        "file:/nowhere/weir.yaml",
        "/WEB-INF/nowhere.yaml",
        "http://host/weir.yaml"
      })
  void a_place_that_was_named_and_is_not_there_is_never_passed_over(String place) {
    initParams.put("config", place);
    assertRefused("filter 'limits'", "init-param 'config'", place, "a file that exists");
    initParams.clear();
    properties.put("weir.config", place);
    assertRefused("limits", "system property 'weir.config'", place, "a file that exists");
    properties.clear();
    variables.put("WEIR_CONFIG", place);
    assertRefused("limits", "environment 'WEIR_CONFIG'", place, "a file that exists");
  }

  private void assertRefused(String file, String field, String place, String expected) {
    Problem problem = Complaints.only(this::ruleFound);
    assertThat(problem.file()).isEqualTo(file);
    assertThat(problem.field()).isEqualTo(field);
    assertThat(problem.found()).isEqualTo("'" + place + "'");
    assertThat(problem.expected()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "\t\n"})
  void a_place_that_is_blank_is_refused(String place) {
    initParams.put("config", place);
    Problem problem = Complaints.only(this::ruleFound);
    assertThat(problem.field()).isEqualTo("init-param 'config'");
    assertThat(problem.found()).isEqualTo("nothing");
    assertThat(problem.expected()).isEqualTo("the place of a configuration file");
  }

  @Test
  void a_place_that_cannot_be_one_is_refused() {
    initParams.put("config", "a\0b");
    Problem problem = Complaints.only(this::ruleFound);
    assertThat(problem.found()).isEqualTo("'a\\u0000b'");
    assertThat(problem.expected()).isEqualTo("the place of a configuration file");
  }

  @Test
  void a_directory_is_refused() {
    initParams.put("config", directory.toString());
    assertRefused(
        "filter 'limits'", "init-param 'config'", directory.toString(), "a file that can be read");
  }

  @Test
  void a_device_without_end_is_refused() {
    initParams.put("config", "/dev/zero");
    assumeThat(Path.of("/dev/zero")).exists();
    assertRefused("filter 'limits'", "init-param 'config'", "/dev/zero", "a file that can be read");
  }

  @Test
  void an_unreadable_file_is_refused() throws IOException {
    Path closed = Files.writeString(directory.resolve("closed.yaml"), yaml("closed"));
    assumeThat(closed.toFile().setReadable(false) && !Files.isReadable(closed))
        .as("a user who may not read everything")
        .isTrue();
    initParams.put("config", closed.toString());
    assertRefused(
        "filter 'limits'", "init-param 'config'", closed.toString(), "a file that can be read");
  }

  @Test
  void a_resource_that_breaks_off_is_refused() {
    WeirSource source =
        new WeirSource(
            "limits",
            Map.of(),
            path -> {
              throw new IOException("broken");
            },
            Weirs.application());
    Problem problem = Complaints.only(() -> new ConfigSearch(source, FakeVariables.EMPTY).find());
    assertThat(problem.found()).isEqualTo("'/WEB-INF/weir.yaml'");
    assertThat(problem.expected()).isEqualTo("a file that can be read");
  }

  @Test
  void beside_config_no_other_param_is_heard() {
    initParams.put("limit", "5 per minute");
    initParams.put("nodes", "3");
    assertThat(Complaints.of(this::ruleFound))
        .extracting(Problem::field)
        .containsExactly("init-param 'limit'", "init-param 'nodes'");
  }

  @Test
  void places_are_files_resources_or_on_the_class_path() {
    resources.put("/WEB-INF/other.yaml", yaml("resource"));
    classPath.put("etc/other.yaml", yaml("other-class-path"));
    initParams.put("config", "/WEB-INF/other.yaml");
    assertThat(ruleFound()).isEqualTo("resource");
    initParams.put("config", "classpath:etc/other.yaml");
    assertThat(ruleFound()).isEqualTo("other-class-path");
    initParams.put("config", "file:" + directory.resolve("param.yaml"));
    assertThat(ruleFound()).isEqualTo("param");
    initParams.put("config", "  " + directory.resolve("param.yaml") + "\n");
    assertThat(ruleFound()).isEqualTo("param");
  }

  @Test
  void the_file_is_named_in_what_is_wrong_with_it() throws IOException {
    Path broken = Files.writeString(directory.resolve("broken.yaml"), "nodes: 0");
    initParams.put("config", broken.toString());
    assertThat(Complaints.only(this::ruleFound).file()).isEqualTo(broken.toString());
  }

  private void leaveNone() {
    initParams.clear();
    properties.clear();
    variables.clear();
    resources.clear();
    classPath.clear();
  }

  /** The name of the one rule in what is found. */
  private String ruleFound() {
    Variables fake = FakeVariables.of(variables, properties);
    ConfigDocument found = new ConfigSearch(source(), fake).require();
    Rule rule =
        SettingsReader.read(found, fake, getClass().getClassLoader()).rules().enabled().get(0);
    return rule.name();
  }

  private WeirSource source() {
    return new WeirSource("limits", initParams, path -> stream(resources.get(path)), loader());
  }

  private ClassLoader loader() {
    return new ClassLoader(getClass().getClassLoader()) {
      @Override
      public @Nullable InputStream getResourceAsStream(String name) {
        return stream(classPath.get(name));
      }
    };
  }

  private static @Nullable InputStream stream(@Nullable String text) {
    return text == null ? null : new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  private String file(String rule) throws IOException {
    return Files.writeString(directory.resolve(rule + ".yaml"), yaml(rule)).toString();
  }

  private static String yaml(String rule) {
    return "rules: [{ name: " + rule + ", match: /**, limits: 5 per minute }]";
  }
}
