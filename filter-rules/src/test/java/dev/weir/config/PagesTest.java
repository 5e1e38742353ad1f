package dev.weir.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.fixture.Documents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the pages are made: short, from an example on, with links that lead somewhere. */
class PagesTest {

  /** All keys, all metrics, and an entry for each message: they are searched, and not read. */
  private static final Set<String> REFERENCE =
      Set.of("docs/configuration.md", "docs/metrics.md", "docs/troubleshooting.md");

  private static final List<String> START_HEADINGS =
      List.of("Add", "Configure", "Run", "See it work", "If not");

  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```$");
  private static final Pattern IMAGE = Pattern.compile("(?s)<picture>.*?</picture>|!\\[");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern LINK =
      Pattern.compile("\\]\\(([^)\\s]+)\\)|(?:src|srcset)=\"([^\"]+)\"");

  static List<String> pages() {
    return Documents.pages();
  }

  static List<String> userPages() {
    return Documents.userPages();
  }

  static Stream<String> startPages() {
    return userPages().stream().filter(page -> page.startsWith("docs/start/"));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void each_link_leads_somewhere(String page) {
    Path folder = Path.of(page).resolveSibling("");
    List<String> dead =
        LINK.matcher(prose(page))
            .results()
            .map(link -> link.group(1) == null ? link.group(2) : link.group(1))
            .filter(target -> !target.matches("(https?|mailto):.*"))
            .filter(target -> !exists(page, folder, target))
            .toList();
    assertThat(dead).isEmpty();
  }

  private static boolean exists(String page, Path folder, String target) {
    String[] parts = target.split("#", 2);
    String file =
        parts[0].isEmpty()
            ? page
            : folder.resolve(parts[0]).normalize().toString().replace('\\', '/');
    if (!Files.exists(Documents.root().resolve(file))) {
      return false;
    }
    return parts.length == 1 || anchors(file).contains(parts[1]);
  }

  /** As forges make them of headings. A heading that is there again has a number. */
  private static List<String> anchors(String page) {
    Map<String, Integer> seen = new HashMap<>();
    return HEADING
        .matcher(FENCED.matcher(Documents.text(page)).replaceAll(""))
        .results()
        .map(heading -> heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1"))
        .map(heading -> heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{Nd} _-]", ""))
        .map(heading -> heading.replace(' ', '-'))
        .map(
            anchor -> {
              int times = seen.merge(anchor, 1, Integer::sum);
              return times == 1 ? anchor : anchor + "-" + (times - 1);
            })
        .toList();
  }

  @ParameterizedTest
  @MethodSource("userPages")
  void each_block_says_whether_it_is_complete(String page) {
    assertThat(Documents.fenced(page))
        .filteredOn(block -> !block.language().equals("mermaid"))
        .allSatisfy(block -> assertThat(block.mark()).isIn("complete", "fragment"));
    assertThat(Documents.text(page).split("(?m)^```", -1).length / 2)
        .as("blocks that the tests see")
        .isEqualTo(Documents.fenced(page).size());
  }

  @Test
  void nine_blocks_of_ten_are_complete() {
    List<Documents.Block> blocks =
        userPages().stream()
            .flatMap(page -> Documents.fenced(page).stream())
            .filter(block -> !block.language().equals("mermaid"))
            .toList();
    long complete = blocks.stream().filter(Documents.Block::isComplete).count();
    assertThat(complete * 10).isGreaterThanOrEqualTo(blocks.size() * 9L);
  }

  @Test
  void pages_can_be_read_at_a_sitting() {
    Map<String, Integer> words =
        userPages().stream()
            .filter(page -> !REFERENCE.contains(page))
            .collect(Collectors.toMap(page -> page, page -> words(prose(page))));
    assertThat(words).allSatisfy((page, count) -> assertThat(count).isLessThanOrEqualTo(1500));
    assertThat(words.values().stream().mapToInt(count -> count).sum()).isLessThanOrEqualTo(18_500);
    assertThat(words.get("README.md")).isLessThanOrEqualTo(700);
    assertThat(Documents.text("README.md").lines().count()).isLessThanOrEqualTo(120);
  }

  @ParameterizedTest
  @MethodSource("userPages")
  void no_section_is_long(String page) {
    if (!page.equals("docs/configuration.md")) {
      assertThat(sections(page))
          .allSatisfy(section -> assertThat(words(section)).isLessThanOrEqualTo(300));
    }
  }

  private static List<String> sections(String page) {
    return List.of(prose(page).split("(?m)^(?=#+ )", -1));
  }

  @ParameterizedTest
  @MethodSource("userPages")
  void a_page_begins_with_an_example_or_a_picture(String page) {
    String text = Documents.text(page);
    Stream<Integer> firsts =
        Stream.of(FENCED, IMAGE, Pattern.compile("(?m)^\\|"))
            .flatMap(kind -> kind.matcher(text).results())
            .map(found -> found.start());
    int first = firsts.min(Integer::compare).orElseThrow();
    assertThat(words(text.substring(0, first))).isLessThanOrEqualTo(60);
  }

  @ParameterizedTest
  @MethodSource("startPages")
  void the_pages_to_start_with_have_the_same_headings(String page) {
    List<String> headings = new ArrayList<>();
    HEADING
        .matcher(prose(page))
        .results()
        .filter(heading -> heading.group().startsWith("## "))
        .forEach(heading -> headings.add(heading.group(1)));
    assertThat(headings).containsExactlyElementsOf(START_HEADINGS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nginx",
        "ALB",
        "Cloudflare",
        "Kubernetes",
        "autoscal",
        "Valkey",
        "ElastiCache",
        "Azure",
        "truststore",
        "TLS",
        "rediss",
        "Spring Boot",
        "embedded Jetty",
        "new RateLimitFilter",
        "Weir.open",
        "Bucket4j",
        "Guava",
        "Resilience4j",
        "Prometheus",
        "Grafana",
        "brute force",
        "troubleshooting",
        "<dependency>",
        "localhost."
      })
  void what_people_search_for_is_found(String word) {
    String searched = word.toLowerCase(Locale.ROOT);
    assertThat(userPages())
        .anyMatch(page -> Documents.text(page).toLowerCase(Locale.ROOT).contains(searched));
  }

  /** A page without its blocks. */
  private static String prose(String page) {
    return FENCED.matcher(Documents.text(page)).replaceAll("");
  }

  /** Words of sentences and of cells: what has a letter or a digit, links by their text alone. */
  private static int words(String text) {
    String read = text.replaceAll("]\\([^)]*\\)", "]").replaceAll("<[^>]*>", "");
    Stream<String> parts = Stream.of(read.split("[\\s|]+", -1));
    return (int) parts.filter(part -> part.matches(".*[\\p{L}\\p{Nd}].*")).count();
  }
}
