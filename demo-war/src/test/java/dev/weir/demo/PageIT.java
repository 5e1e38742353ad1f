package dev.weir.demo;

import static java.util.Comparator.reverseOrder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Full;
import dev.weir.http.Answer;
import jakarta.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page does, in a real browser where one is installed. */
@Full
class PageIT {

  /** The words of the nodes' cards, each with its meaning elsewhere on the page. */
  private static final String LINKED_WORDS =
      """
      return [...document.querySelectorAll('#nodes dt a')]
          .map(it => it.textContent + ': ' + document.querySelector(it.hash)?.nextElementSibling.textContent)
          .join('; ');
      """;

  /** The requests of the last minute, as the chart has them. */
  private static final String DRAWN_REQUESTS =
      """
      const sets = Chart.getChart(document.querySelector('#chart')).data.datasets;
      return String(sets.flatMap(set => set.data).reduce((one, other) => one + other, 0));
      """;

  /**
   * How many the shares let in, by what a node said each time: a call failed, which the node
   * decided; the breaker opened after nine more; Redis came back; and once more, 3 this time.
   */
  private static final String LET_IN =
      """
      return import('/static/js/history.js').then(({History}) => {
        const history = new History();
        const says = (state, allowedInProcess) => history.take(
            [{state, stateSince: performance.now(), status: {liveNodes: 2, requests: {allowedInProcess}}}]);
        says('redis', 4);
        says('redis', 5);
        says('local', 14);
        says('redis', 14);
        says('redis', 15);
        says('local', 17);
        says('redis', 17);
        return history.outages.map(({letIn}) => letIn).join(' ');
      });
      """;

  /** The outages in the time line. */
  private static final String WAS_LOCAL =
      "return String(document.querySelectorAll('#history .was-local').length)";

  private static final java.util.regex.Pattern OUTAGE =
      java.util.regex.Pattern.compile(
          "Redis out (\\d+\\.\\d) s · (\\d+) let in by the share of 2 nodes");

  private static final java.util.regex.Pattern NUMBER = java.util.regex.Pattern.compile("\\d+");

  /** What a page that was used has allowed before. */
  private static final int LOGIN = 1;

  private Page page;

  @BeforeEach
  void open(@TempDir Path profile) throws IOException {
    page = Page.open(profile);
  }

  @AfterEach
  void close() {
    if (page != null) {
      page.close();
    }
  }

  @Test
  void a_burst_over_both_nodes_is_counted_and_its_last_answer_shown() {
    page.send("bob", 60, 100);
    await().atMost(Page.PATIENCE).until(() -> decided() == LOGIN + 60);
    assertThat(page.number("#total-allowed")).isGreaterThanOrEqualTo(LOGIN + 10);
    assertThat(page.number("#total-denied")).isPositive();
    awaitDenial("bob");
    assertThat(page.text("#answer-fields")).contains("Retry-After", "RateLimit", "\"api\";r=0;t=1");
    assertThat(page.browser().complaints()).allMatch(complaint -> complaint.contains("429"));
  }

  @Test
  void who_is_denied_most_has_one_row_over_both_nodes_and_no_name() {
    assertThat(page.text("#top-none")).isEqualTo("Nobody has been denied of late.");
    page.send("bob", 60, 100);
    await().atMost(Page.PATIENCE).until(() -> decided() == LOGIN + 60);
    await()
        .atMost(Page.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(page.text("#top tbody").replaceAll("\\s+", " "))
                    .matches("(.* )?api [\\w-]{8} [1-9]\\d?( .*)?")
                    .containsOnlyOnce("api ")
                    .contains("candidate shadow ")
                    .doesNotContain("bob"));
  }

  private int decided() {
    return page.number("#total-allowed") + page.number("#total-denied");
  }

  @Test
  void the_requests_of_others_are_seen_too() {
    for (int i = 0; i < 20; i++) {
      page.demo().node(i % 2).get("/api/hello", "X-API-Key: other");
    }
    await().atMost(Page.PATIENCE).until(() -> decided() == LOGIN + 20);
    await()
        .atMost(Page.PATIENCE)
        .untilAsserted(
            () ->
                assertThat(Double.parseDouble(page.browser().run(DRAWN_REQUESTS)))
                    .isCloseTo(20, within(0.01)));
  }

  @Test
  void the_rules_have_one_row_each_with_the_sums_of_all_nodes_and_most_denials_first() {
    await().atMost(Page.PATIENCE).until(() -> rules().startsWith("address api bursts candidate "));
    page.send("carol", 60, 100);
    page.demo().node(1).post("/login");
    await()
        .atMost(Page.PATIENCE)
        .until(() -> count("api", "allowed") + count("api", "denied"), Integer.valueOf(60)::equals);
    await().atMost(Page.PATIENCE).until(() -> count("login", "allowed") == LOGIN + 1);
    assertThat(rules()).startsWith("api address bursts candidate ");
    assertThat(page.number("#total-denied")).isEqualTo(count("api", "denied"));
    assertThat(count("candidate", "denied")).isGreaterThan(count("api", "denied"));
    assertThat(page.text("#counted")).containsOnlyOnce("would deny");
  }

  private String rules() {
    return page.browser()
        .run(
            "return [...document.querySelectorAll('#counted tbody th span')]"
                + ".map(it => it.textContent).join(' ')");
  }

  /** The number in the row of a rule, 0 where the outcome has not occurred. */
  private int count(String rule, String outcome) {
    return Integer.parseInt(
        page.browser()
            .run(
                """
                const row = [...document.querySelectorAll('#counted tbody tr')]
                    .find(it => it.querySelector('th span').textContent === '%s');
                return row.querySelector('td.%s span')?.textContent ?? '0';
                """
                    .formatted(rule, outcome)));
  }

  @Test
  void it_shows_who_decides_while_redis_is_killed_and_back() {
    page.press("#redis-actions [data-action=kill]");
    await().atMost(Page.PATIENCE).until(() -> page.text("#redis-lamp").equals("stopped"));
    page.send("eve", 20, 20);
    assertThat(page.text("#summary")).doesNotContain("failed");
    await().atMost(Page.PATIENCE).until(() -> page.text("#lamp").equals("Redis is out"));
    assertThat(page.text("#nodes")).contains("in process");
    page.press("#redis-actions [data-action=start]");
    await().atMost(Page.PATIENCE).until(() -> page.text("#lamp").equals("Redis decides"));
  }

  @Test
  void it_tells_how_long_an_outage_was_and_how_many_the_shares_let_in() {
    assertThat(page.text("#outage")).isEqualTo("no outage so far");
    long started = System.nanoTime();
    page.press("#redis-toggle");
    await().atMost(Page.PATIENCE).until(() -> page.text("#redis-toggle").equals("Resume Redis"));
    page.send("mallory", 30, 30);
    await().atMost(Page.PATIENCE).until(() -> page.text("#outage").startsWith("Redis out for "));
    page.press("#redis-toggle");
    await().atMost(Page.PATIENCE).until(() -> page.text("#lamp").equals("Redis decides"));
    long letIn = letInBy(0) + letInBy(1);
    assertThat(letIn).isBetween(10L, 20L);
    double seconds = (System.nanoTime() - started) / 1e9;
    Matcher annotation = OUTAGE.matcher(page.text("#outage"));
    assertThat(annotation.matches()).as(page.text("#outage")).isTrue();
    assertThat(Double.parseDouble(annotation.group(1))).isBetween(1.0, seconds);
    assertThat(annotation.group(2)).isEqualTo(String.valueOf(letIn));
    assertThat(page.browser().run(WAS_LOCAL)).isEqualTo("1");
  }

  @Test
  void what_was_let_in_before_the_breaker_opened_is_of_the_outage() {
    assertThat(page.browser().run(LET_IN)).isEqualTo("10 3");
  }

  private long letInBy(int node) {
    JsonObject status = NodeStatus.of(page.demo().node(node)).json();
    return status.getJsonObject("requests").getJsonNumber("allowedInProcess").longValueExact();
  }

  @Test
  void a_node_that_misses_one_answer_keeps_what_it_said_with_its_age() throws IOException {
    page.demo().signal("STOP");
    await().atMost(Page.PATIENCE).until(() -> page.text("#nodes").contains("s ago"));
    assertThat(page.text("#nodes")).contains("Redis decides").doesNotContain("does not answer");
    assertThat(rules()).contains("api");
    page.demo().signal("CONT");
    await().atMost(Page.PATIENCE).until(() -> !page.text("#nodes").contains("s ago"));
  }

  @Test
  void a_node_that_misses_three_answers_does_not_answer_until_it_does() throws IOException {
    page.demo().signal("STOP");
    await().atMost(Page.PATIENCE).until(() -> page.text("#nodes").contains("does not answer"));
    assertThat(page.text("#nodes")).containsPattern("([6-9]|\\d\\d) s ago");
    assertThat(rules()).contains("api");
    page.demo().signal("CONT");
    await().atMost(Page.PATIENCE).until(() -> !page.text("#nodes").contains("does not answer"));
  }

  private static List<Integer> numbers(String text) {
    return NUMBER.matcher(text).results().map(MatchResult::group).map(Integer::valueOf).toList();
  }

  @Test
  void it_explains_its_words_and_links_the_guide_the_rules_and_the_version() {
    await().atMost(Page.PATIENCE).until(() -> page.text("#version").matches("Weir \\d.+"));
    assertThat(page.text(".words"))
        .contains("breaker", "live nodes", "deny cache", "in process", "delayed");
    assertThat(page.browser().run(LINKED_WORDS))
        .contains("breaker", "live nodes")
        .doesNotContain("undefined");
    assertThat(page.demo().node(0).get("/rules").body()).contains("login:   5 per minute");
    Answer guide = page.demo().node(0).get("/guide/outages.md");
    assertThat(guide.body()).startsWith("# Outages");
    assertThat(guide.field("Content-Type")).isEqualToIgnoringCase("text/plain;charset=utf-8");
  }

  @Test
  void the_same_burst_is_drawn_for_each_kind_of_limit() {
    page.press("#compare");
    await().atMost(Page.PATIENCE).until(() -> page.text("#compare-summary").startsWith("Done."));
    for (Pattern pattern : Pattern.values()) {
      assertThat(page.text("#picture-" + pattern.slug() + " .counts"))
          .matches("[1-9]\\d* admitted, [1-9]\\d* denied");
    }
    assertThat(page.text("#compare-summary"))
        .matches("Done\\. Most admitted within one second: ([a-z ]+ \\d+, ){4}[a-z ]+ \\d+\\.");
    assertThat(numbers(page.text("#compare-summary"))).isSortedAccordingTo(reverseOrder());
    assertThat(page.browser().complaints()).isEmpty();
  }

  /** The last answer of a burst may be the one that had waited long enough. */
  private void awaitDenial(String key) {
    await()
        .atMost(Page.PATIENCE)
        .until(
            () -> {
              page.send(key, 3, 100);
              return page.text("#answer-status").equals("429");
            });
  }
}
