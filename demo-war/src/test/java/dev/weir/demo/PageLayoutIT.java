package dev.weir.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.fixture.Full;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing on the page is cut, on a desk and on a telephone. */
@Full
class PageLayoutIT {

  private static final String UNUSED_RULES =
      """
      const rows = [...document.querySelectorAll('#counted tbody tr')];
      return String(rows.filter(row => row.querySelectorAll('.bar rect').length === 0).length);
      """;

  /** The tables that are wider than their place, and the cells that lie over their neighbours. */
  private static final String CUT =
      """
      return [...document.querySelectorAll('.scroll, .scroll :is(th, td)')]
          .filter(box => box.scrollWidth > box.clientWidth)
          .map(box => box.textContent.trim() + ': ' + box.scrollWidth + ' in ' + box.clientWidth)
          .join(', ');
      """;

  private static final String LINKS =
      """
      return [...document.querySelectorAll('[href], [src]')]
          .map(it => new URL(it.href || it.src))
          .filter(url => url.origin === location.origin)
          .map(url => url.pathname)
          .join(' ');
      """;

  private static final String LANDMARKS =
      """
      const name = it => it.getAttribute('aria-label')
          ?? document.getElementById(it.getAttribute('aria-labelledby'))?.textContent ?? '';
      return [...document.querySelectorAll('section, [role=region]')].map(name).join('\\n');
      """;

  private static final String NAMED_WITHOUT_ROLE =
      """
      return [...document.querySelectorAll(':is(pre, div, span, p)[aria-label]:not([role])')]
          .map(it => it.outerHTML).join(' ');
      """;

  /** The values without a space that need more than one line. */
  private static final String BROKEN_WORDS =
      """
      const lines = text => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return range.getClientRects().length;
      };
      return [...document.querySelectorAll('#answer-fields td')]
          .map(cell => cell.firstChild)
          .filter(text => !text.data.includes(' ') && lines(text) > 1)
          .map(text => text.data)
          .join(' ');
      """;

  private static final String VISIBLE =
      """
      const it = document.querySelector('%s');
      const {top, bottom, left, right} = it.getBoundingClientRect();
      const middle = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && middle === it;
      """;

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
  void it_fits_a_telephone() {
    page.browser().resize(400, 800);
    await("nothing wider")
        .atMost(Page.PATIENCE)
        .until(
            () -> page.browser().run("return String(document.documentElement.scrollWidth)"),
            "400"::equals);
  }

  @Test
  void the_chart_and_the_button_that_freezes_redis_are_on_one_screen_of_a_telephone() {
    page.browser().resize(390, 844);
    await("both visible")
        .atMost(Page.PATIENCE)
        .until(() -> visible("#chart") && visible("#redis-toggle"));
    page.browser().run("document.querySelector('#chart').scrollIntoView()");
    await("both visible still")
        .atMost(Page.PATIENCE)
        .until(() -> visible("#chart") && visible("#redis-toggle"));
  }

  /** Whether it is on the screen as a whole, and nothing lies on its middle. */
  private boolean visible(String selector) {
    return page.browser().run(VISIBLE.formatted(selector)).equals("true");
  }

  @ParameterizedTest
  @ValueSource(ints = {1300, 390})
  void no_table_is_cut_when_every_rule_has_decided(int width) {
    page.browser().resize(width, 844);
    page.browser().run("document.querySelectorAll('details').forEach(it => { it.open = true; })");
    page.demo().node(0).post("/login");
    page.demo().node(0).get("/rest/reports/7");
    page.send("wide", 60, 100);
    page.press("#compare");
    await().atMost(Page.PATIENCE).until(() -> page.text("#compare-summary").startsWith("Done."));
    await("every rule has decided")
        .atMost(Page.PATIENCE)
        .until(() -> page.browser().run(UNUSED_RULES), "0"::equals);
    await("nothing cut").atMost(Page.PATIENCE).until(() -> page.browser().run(CUT), ""::equals);
  }

  @Test
  void no_value_is_broken_within_a_word_on_a_telephone() {
    page.browser().resize(390, 844);
    page.send("narrow", 60, 100);
    assertThat(page.text("#answer-fields")).contains("application/");
    assertThat(page.browser().run(BROKEN_WORDS)).isEmpty();
  }

  @Test
  void everything_that_the_page_links_exists() {
    page.send("reader", 5, 100);
    List<String> links = new ArrayList<>(List.of(page.browser().run(LINKS).split(" ")));
    assertThat(links).contains("/static/weir.svg", "/static/css/page.css", "/status");
    links.add("/favicon.ico"); // a browser asks for it where a page names no other, as /status
    for (String link : links) {
      assertThat(page.demo().node(0).get(link).status()).as(link).isEqualTo(200);
    }
    page.browser().open(page.demo().base(0) + "/status");
    assertThat(page.browser().complaints()).noneMatch(complaint -> complaint.contains("404"));
  }

  @Test
  void each_landmark_has_a_name_of_its_own_and_no_plain_element_has_one() {
    List<String> names = List.of(page.browser().run(LANDMARKS).split("\n"));
    assertThat(names).hasSizeGreaterThan(5).doesNotHaveDuplicates().doesNotContain("");
    assertThat(page.browser().run(NAMED_WITHOUT_ROLE)).isEmpty();
  }
}
