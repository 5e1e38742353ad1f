package dev.weir.containers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A jar with everything clashes with nothing that an application or its container has. */
@ParameterizedClass(name = "{0}")
@MethodSource("jars")
class AllJarIT {

  private static final int SIX_MEGABYTES = 6_000_000;

  /** Of libraries, by names that are not ours. */
  private static final Pattern FOREIGN =
      Pattern.compile(
          "(?<!dev/weir/shaded/)(redis/clients|org/slf4j|com/github/benmanes|io/github/bucket4j"
              + "|inet/ipaddr|org/snakeyaml|com/netflix|org/apache/commons|org/jspecify)");

  /** Of a class of ours, or of a library. */
  private static final Pattern PACKAGE =
      Pattern.compile("^(dev/weir/shaded/[^/]+|dev/weir(/[^/]+)*|META-INF)/.*");

  private final Path jar;

  /** By their names, each byte as a character. */
  private final Map<String, String> contents = new LinkedHashMap<>();

  AllJarIT(Path jar) throws IOException {
    this.jar = jar;
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (!entry.isDirectory()) {
          contents.put(
              entry.getName(), new String(zip.getInputStream(entry).readAllBytes(), ISO_8859_1));
        }
      }
    }
  }

  static Stream<Path> jars() {
    return Stream.of(Edition.values())
        .flatMap(
            it ->
                Stream.of(
                    it.filter(), it.feature(), it.tomcat(), it.java8Filter(), it.java8Feature()));
  }

  @Test
  @SuppressWarnings("SystemOut") // a test run shows it
  void it_has_nothing_outside_of_our_packages() throws IOException {
    Set<String> packages = new TreeSet<>();
    for (String name : entries()) {
      assertThat(name).matches("(dev/weir|META-INF)/.*");
      packages.add(PACKAGE.matcher(name).replaceFirst("$1").replace('/', '.'));
    }
    System.out.printf("%s, %,d bytes: %s%n", jar.getFileName(), Files.size(jar), packages);
    assertThat(Files.size(jar)).isLessThan(SIX_MEGABYTES);
  }

  /** The build leaves classes out that nothing uses. */
  @Test
  void no_class_of_bucket4j_is_missing() {
    StringWriter missing = new StringWriter();
    PrintWriter out = new PrintWriter(missing, true);
    ToolProvider.findFirst("jdeps").orElseThrow().run(out, out, "--missing-deps", jar.toString());
    assertThat(missing.toString()).contains("not found");
    assertThat(missing.toString().lines())
        .filteredOn(line -> line.contains("-> dev.weir.shaded.bucket4j"))
        .isEmpty();
  }

  @Test
  void its_classes_know_libraries_by_our_names_only() {
    for (String name : entries()) {
      if (name.endsWith(".class")) {
        assertThat(FOREIGN.matcher(content(name)).results().map(it -> it.group()))
            .as(name)
            .isEmpty();
      }
    }
  }

  @Test
  void the_one_for_javax_knows_no_jakarta_and_the_other_no_javax() {
    Pattern other =
        Pattern.compile(
            (jar.getFileName().toString().contains("javax") ? "jakarta" : "javax")
                + "/(servlet|ws/rs|annotation)/");
    for (String name : entries()) {
      assertThat(other.matcher(content(name)).results().map(it -> it.group())).as(name).isEmpty();
    }
  }

  @Test
  void what_it_contains_stands_in_it_with_its_licence() {
    String reported = content("META-INF/THIRD-PARTY.txt");
    Set<String> libraries =
        entries().stream()
            .filter(name -> name.startsWith("dev/weir/shaded/"))
            .map(name -> name.split("/", -1)[3])
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(libraries).allMatch(it -> reported.contains("(dev.weir.shaded." + it + "), "));
    assertThat(reported.lines().filter(line -> line.contains("(dev.weir.shaded.")))
        .hasSameSizeAs(libraries);
    assertThat(content("META-INF/LICENSE")).contains("Apache License", "Version 2.0");
    assertThat(content("META-INF/NOTICE")).contains("Apache Commons Pool");
  }

  @Test
  void it_knows_its_version() {
    assertThat(content("dev/weir/config/version.properties").strip()).matches("version=\\d+\\..*");
  }

  @Test
  void what_starts_by_a_service_file_still_does() {
    assertThat(entries())
        .contains("META-INF/services/dev.weir.shaded.slf4j.spi.SLF4JServiceProvider");
    assertThat(entries().stream().filter(it -> it.endsWith(".ServletContainerInitializer")))
        .hasSize(1);
  }

  private Set<String> entries() {
    return contents.keySet();
  }

  private String content(String name) {
    return Objects.requireNonNull(contents.get(name), name);
  }
}
